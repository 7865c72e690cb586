import type { Inside } from "../../sandbox/sandbox.ts";
import type { ToolContext } from "../tool.ts";
import type { BashInput } from "./input.ts";

/** The sandbox that a command runs in; undefined where it runs outside, which the gate has judged by the same words. */
export function insideOf(
  { command, wantsOut }: Pick<BashInput, "command" | "wantsOut">,
  { workspace: { sandbox, roots }, sandboxed }: Pick<ToolContext, "workspace" | "sandboxed">,
): Inside | undefined {
  const isInside = sandboxed || sandbox?.place(command, wantsOut) === "inside";
  return sandbox && isInside ? { sandbox, roots } : undefined;
}
