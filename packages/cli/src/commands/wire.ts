import type { Command } from "../command.ts";

export const RECORD: Command = {
  name: "record",
  summary: "runs an agent and records every line between it and its host",
  args: "[--out FILE] -- COMMAND…",
  count: [1, Number.POSITIVE_INFINITY],
  options: [
    {
      name: "out",
      short: "o",
      value: "FILE",
      summary: "the transcript (transcript.jsonl); a number is added if the file exists",
    },
  ],
  details: `Sits between a host and its agent: input, output, arguments, signals and exit code pass through unchanged. To use it
with a host that takes the path of an agent, write a script and give the script's path:

  printf '#!/bin/sh\\nexec agentwire record -o talk.jsonl -- claude "$@"\\n' > recorded && chmod +x recorded

Only you can read the transcript (0600): it holds the whole conversation.`,
  examples: [
    `echo '{"type":"user","message":{"role":"user","content":"hello"}}' |
    agentwire record -o talk.jsonl -- agentwire-agent --input-format stream-json --output-format stream-json --verbose`,
    "agentwire replay --show talk.jsonl",
  ],
  run: async (call) => (await import("../wire/record.ts")).record(call),
};

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
