export { exportHtml } from "./html.ts";
export { exportMarkdown } from "./markdown.ts";
