export type { Inline } from "./inline.ts";
export { type Alignment, type Block, type ListItem, parseMarkdown, plain } from "./markdown.ts";
export { Segmenter } from "./segments.ts";
