import type { Command } from "../command.ts";

export const RECORD: Command = {
  name: "record",
  summary: "runs an agent and writes down every line between it and its host",
  args: "[--out FILE] -- COMMAND…",
  count: [1, Number.POSITIVE_INFINITY],
  options: [
    {
      name: "out",
      short: "o",
      value: "FILE",
      summary: "the transcript (transcript.jsonl); a number is added rather than overwriting",
    },
  ],
  details: `Stands between a host and the agent it believes to run: input, output, arguments, signals and exit code pass through
unchanged. To put it into a host that takes the path of an agent, make a script and give its path:

  printf '#!/bin/sh\\nexec agentwire record -o talk.jsonl -- claude "$@"\\n' > recorded && chmod +x recorded

The transcript is yours alone to read (0600): it holds whatever was said.`,
  examples: [
    `echo '{"type":"user","message":{"role":"user","content":"hello"}}' |
    agentwire record -o talk.jsonl -- agentwire-agent --input-format stream-json --output-format stream-json --verbose`,
    "agentwire replay --show talk.jsonl",
  ],
  run: async (call) => (await import("../wire/record.ts")).record(call),
};
