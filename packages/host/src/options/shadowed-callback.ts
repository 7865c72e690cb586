import type { Options } from "../sdk/options.ts";

/** Says which tool calls `canUseTool` will never see because something else allows them first; undefined if none. */
export function shadowedCallback({
  canUseTool,
  permissionMode,
  allowedTools = [],
}: Options): string | undefined {
  if (!canUseTool) return undefined;
  if (permissionMode === "bypassPermissions")
    return "canUseTool is not asked in permission mode bypassPermissions; a PreToolUse hook sees every call";
  const whole = allowedTools.filter((rule) => rule !== "" && !rule.includes("("));
  if (whole.length === 0) return undefined;
  return `canUseTool is not asked about ${whole.join(", ")}: allowedTools allows them as a whole; a PreToolUse hook sees every call`;
}
