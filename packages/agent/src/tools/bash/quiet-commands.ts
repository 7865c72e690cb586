import { literalValue, readShell } from "@agentwire/protocol/shell";

const QUIET = new Set(
  "touch mkdir rmdir rm mv cp ln chmod chown chgrp cd export unset set wait truncate install".split(" "),
);

/** Whether a command that works prints nothing, so that no output is no news. */
export function expectsNoOutput(command: string): boolean {
  const reading = readShell(command);
  return (
    reading.ok && reading.parts.every(({ words }) => QUIET.has(literalValue(words[0]?.text ?? "") ?? ""))
  );
}
