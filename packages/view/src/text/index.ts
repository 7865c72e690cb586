export type { DiffLine } from "./diff.ts";
export { editMade, editOf, type FileEdit } from "./edit.ts";
export { withoutErrorTags } from "./error-text.ts";
export { exactRule } from "./exact-rule.ts";
export { ruleHint } from "./rule-hint.ts";
export { parseInput, pretty, summaryOf, type ToolInput, textField } from "./tool-input.ts";
