import type { Command } from "../command.ts";

export const WEB: Command = {
  name: "web",
  summary: "prints a link to the console in the browser",
  details: `The link signs in one browser, once, within five minutes; the browser stays signed in for a month. Starts a daemon if
none is running. A daemon without a TCP port opens 7433 on the loopback interface, or a free one if that is in use; it stays open
until the daemon stops.`,
  options: [
    {
      name: "port",
      value: "N",
      summary: "the console on this port of 127.0.0.1, which is opened if needed; 0 picks a free one",
    },
    { name: "open", summary: "also opens the link in your browser" },
  ],
  examples: ["agentwire web", "agentwire web --open", "agentwire web --port 8080"],
  run: async (call) => (await import("../daemon/web.ts")).web(call),
};
