import { StringDecoder } from "node:string_decoder";
import type { ToolContext } from "../tool.ts";
import type { OutputFiles } from "./output-files.ts";

const LOOK_MS = 200;
/** A command that takes long is looked at less often, so that an hour of output stays small. */
const CALM_AFTER_LOOKS = 50;
const CALM_LOOKS = 5;
/** Nobody reads more than this of what is printed at once. */
const MOST_BYTES = 4096;

/** Tells the host what a command prints while it runs, if the host wants that; the returned function ends it. */
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
    // What is left over of a character before the gap is lost with the rest of it.
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

/** The bytes from the first that begins a character. */
function fromCharacter(bytes: Buffer): Buffer {
  let at = 0;
  while (at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
  return bytes.subarray(at);
}
