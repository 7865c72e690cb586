import type { Command } from "../command.ts";

export const REPLAY: Command = {
  name: "replay",
  summary: "plays the agent of a transcript, or shows the transcript",
  args: "FILE",
  count: [1, Number.POSITIVE_INFINITY],
  options: [{ name: "show", summary: "prints it in readable form instead" }],
  details: `Plays the recorded agent on stdin and stdout: waits for each recorded line of the host and sends what the agent
answered, with the current ids. Arguments after FILE are ignored, so that a host can be given a script:

  printf '#!/bin/sh\\nexec agentwire replay talk.jsonl -- "$@"\\n' > replayed && chmod +x replayed`,
  examples: ["agentwire replay --show talk.jsonl", "agentwire replay talk.jsonl < prompts.jsonl"],
  run: async (call) => (await import("../wire/replay.ts")).replay(call),
};
