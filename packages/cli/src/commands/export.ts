import type { Command } from "../command.ts";

export const EXPORT: Command = {
  name: "export",
  summary: "prints a session as one page or text to share, with secrets taken out",
  args: "SESSION",
  count: [1, 1],
  details:
    "The page needs nothing beside it: no script, no file, no network. `agentwire sessions export` prints everything that is stored instead.",
  options: [
    {
      name: "format",
      value: "FORMAT",
      summary: "a page of HTML, or Markdown (html)",
      choices: ["html", "markdown"],
    },
  ],
  examples: [
    "agentwire export 3f2a91c0 > talk.html",
    "agentwire export --format markdown 3f2a91c0 > talk.md",
  ],
  run: async (call) => (await import("../sessions/share.ts")).share(call),
};
