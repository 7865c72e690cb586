import { StringDecoder } from "node:string_decoder";
import type { ToolContext } from "../tool.ts";
import type { OutputFiles } from "./output-files.ts";

const LOOK_MS = 200;
/** The output of a long-running command is checked less often, so that an hour of output stays small. */
const CALM_AFTER_LOOKS = 50;
const CALM_LOOKS = 5;
/** The maximum number of bytes reported at once: nobody reads more. */
const MOST_BYTES = 4096;

/** Reports the output of a command to the host while it runs, if the host wants that; the returned function stops this. */
export function tellOutput(
  files: OutputFiles,
  { workspace, callId }: Pick<ToolContext, "workspace" | "callId">,
): () => void {
  if (!workspace.tellsOutput) return () => {};
  const decoder = new StringDecoder("utf8");
  const beganMs = Date.now();
  let told = 0;
  let looks = 0;
  const look = setInterval(() => {
    looks++;
    if (looks > CALM_AFTER_LOOKS && looks % CALM_LOOKS !== 0) return;
    const size = files.size(0);
    if (size <= told) return;
    const from = Math.max(told, size - MOST_BYTES);
    const isCut = from > told;
    // The partial character before the gap is lost with the rest of it.
    if (isCut) decoder.end();
    const bytes = files.read(0, size - from, from);
    told = from + bytes.length;
    const output = decoder.write(isCut ? fromCharacter(bytes) : bytes);
    if (output === "") return;
    workspace.tell({
      type: "tool_progress",
      tool_use_id: callId,
      tool_name: "Bash",
      parent_tool_use_id: null,
      elapsed_time_seconds: (Date.now() - beganMs) / 1000,
      output,
      ...(isCut && { output_cut: true }),
    });
  }, LOOK_MS);
  return () => clearInterval(look);
}

/** The bytes from the start of the first whole character. */
function fromCharacter(bytes: Buffer): Buffer {
  let at = 0;
  while (at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
  return bytes.subarray(at);
}
