import type { Command } from "../command.ts";

export const WEB: Command = {
  name: "web",
  summary: "prints a link to the console in the browser",
  details: `The link signs in one browser, once, within five minutes; the browser stays signed in for a month. Starts a daemon if
none is running.`,
  examples: ["agentwire web", 'xdg-open "$(agentwire web)"'],
  run: async (call) => (await import("../daemon/web.ts")).web(call),
};
