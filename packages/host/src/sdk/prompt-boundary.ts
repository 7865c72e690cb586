/** Stands between the parts of a system prompt that stay the same and those that don't, so that the first are cached. */
export const SYSTEM_PROMPT_DYNAMIC_BOUNDARY = "__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__";
