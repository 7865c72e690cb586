import type { Command } from "../command.ts";

export const EXPORT: Command = {
  name: "export",
  summary: "prints a session as one page or text to share, with secrets removed",
  args: "SESSION",
  count: [1, 1],
  details:
    "The page is self-contained: it needs no scripts, other files or network. `agentwire sessions export` prints everything stored instead.",
  options: [
    {
      name: "format",
      value: "FORMAT",
      summary: "an HTML page, or Markdown (html)",
      choices: ["html", "markdown"],
    },
  ],
  examples: [
    "agentwire export 3f2a91c0 > talk.html",
    "agentwire export --format markdown 3f2a91c0 > talk.md",
  ],
  run: async (call) => (await import("../sessions/share.ts")).share(call),
};
