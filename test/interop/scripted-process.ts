import { EventEmitter } from "node:events";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import type { SpawnedProcess } from "@anthropic-ai/claude-agent-sdk";

/** The part of a host's line that scripts look at. */
interface FromHost {
  readonly type: string;
  readonly request_id: string;
  readonly request: { readonly subtype: string };
}

/** A script's reaction to a line: writes lines in one chunk, or ends the agent. */
type Script = (message: FromHost, write: (...lines: readonly object[]) => void, end: () => void) => void;

/** An agent in this process, for the `spawnClaudeCodeProcess` option of either SDK. */
export function scriptedProcess(script: Script): SpawnedProcess {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const write = (...lines: readonly object[]) =>
    void stdout.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  createInterface({ input: stdin }).on("line", (line) => script(JSON.parse(line), write, () => stdout.end()));
  const state = { stdin, stdout, killed: false, exitCode: null as number | null, kill: () => true };
  const child = Object.assign(new EventEmitter(), state);
  stdout.on("end", () => {
    child.exitCode = 0;
    child.emit("exit", 0, null);
  });
  return child as never;
}

/** The line that answers a request. */
export const answerTo = ({ request_id }: FromHost, response: object = {}) => ({
  type: "control_response",
  response: { subtype: "success", request_id, response },
});
