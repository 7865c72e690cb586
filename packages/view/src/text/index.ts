export type { DiffLine } from "./diff.ts";
export { editMade, editOf, type FileEdit } from "./edit.ts";
export { parseInput, pretty, summaryOf, type ToolInput, textField } from "./tool-input.ts";
