import { FORMER_TOOL_NAMES } from "@agentwire/protocol/permission";

export { BUILT_IN_TOOLS as BUILTIN_TOOL_NAMES } from "@agentwire/protocol/permission";

/** The current names of renamed tools, by their former names. */
export const LEGACY_TOOL_NAME_ALIASES: Readonly<Record<string, string>> =
  Object.fromEntries(FORMER_TOOL_NAMES);
