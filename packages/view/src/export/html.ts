import { redactor } from "@agentwire/protocol/support";
import { type Block, type Inline, parseMarkdown } from "../markdown/index.ts";
import type { Item } from "../timeline/index.ts";
import { inputText, resultText } from "./call-text.ts";

/** Exports a conversation as one self-contained page without scripts, with secrets removed. */
export function exportHtml(title: string, items: readonly Item[]): string {
  const redact = redactor([]);
  const page = (item: Item): string => itemHtml(item, redact, page);
  const name = escaped(redact(title));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${name}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${name}</h1>
${items.map(page).join("\n")}
</main>
</body>
</html>
`;
}

function itemHtml(item: Item, redact: (text: string) => string, page: (item: Item) => string): string {
  const text = (raw: string) => escaped(redact(raw));
  switch (item.kind) {
    case "prompt":
      return `<section class="prompt"><p>${text(item.text)}</p></section>`;
    case "said":
      return `<section>${parseMarkdown(redact(item.text)).map(blockHtml).join("\n")}</section>`;
    case "thought":
      return `<details><summary>Thought</summary><pre>${text(item.text)}</pre></details>`;
    case "call": {
      const result = resultText(item);
      const failed = item.result?.isError ? ' class="failed"' : "";
      return [
        `<details${failed}><summary>${text(item.name || "A tool")} <code>${text(firstLine(inputText(item)))}</code></summary>`,
        `<pre>${text(inputText(item))}</pre>`,
        ...item.children.map(page),
        ...(result === "" ? [] : [`<pre>${text(result)}</pre>`]),
        "</details>",
      ].join("\n");
    }
    case "notice":
      return `<p class="notice">${text(item.text)}</p>`;
    case "turn":
      return item.turn.failure === ""
        ? ""
        : `<p class="notice">The turn failed: ${text(item.turn.failure)}</p>`;
    default:
      return "";
  }
}

function blockHtml(block: Block): string {
  switch (block.type) {
    case "heading":
      return `<h${block.level}>${inlineHtml(block.inside)}</h${block.level}>`;
    case "paragraph":
      return `<p>${inlineHtml(block.inside)}</p>`;
    case "code":
      return `<pre><code>${escaped(block.text)}</code></pre>`;
    case "quote":
      return `<blockquote>${block.blocks.map(blockHtml).join("\n")}</blockquote>`;
    case "list": {
      const [begin, end] =
        block.start === undefined ? ["<ul>", "</ul>"] : [`<ol start="${block.start}">`, "</ol>"];
      const items = block.items.map(({ ticked, blocks }) => {
        const box = ticked === undefined ? "" : ticked ? "☑ " : "☐ ";
        return `<li>${box}${blocks.map(blockHtml).join("\n")}</li>`;
      });
      return [begin, ...items, end].join("\n");
    }
    case "table": {
      const row = (cells: readonly (readonly Inline[])[], tag: "th" | "td") =>
        `<tr>${cells.map((cell, at) => `<${tag}${alignedBy(block.aligned[at])}>${inlineHtml(cell)}</${tag}>`).join("")}</tr>`;
      return [
        "<table>",
        row(block.head, "th"),
        ...block.rows.map((cells) => row(cells, "td")),
        "</table>",
      ].join("\n");
    }
    case "rule":
      return "<hr>";
  }
}

const alignedBy = (alignment = "") => (alignment === "" ? "" : ` style="text-align:${alignment}"`);

const TAGS = { strong: "strong", emphasis: "em", struck: "s" } as const;

function inlineHtml(pieces: readonly Inline[]): string {
  return pieces
    .map((piece) => {
      switch (piece.type) {
        case "text":
          return escaped(piece.text).replaceAll("\n", "<br>\n");
        case "code":
          return `<code>${escaped(piece.text)}</code>`;
        case "image":
          return `<img src="${escaped(piece.source)}" alt="${escaped(piece.text)}">`;
        case "link":
          return `<a href="${escaped(piece.href)}" rel="noreferrer">${inlineHtml(piece.inside)}</a>`;
        default:
          return `<${TAGS[piece.type]}>${inlineHtml(piece.inside)}</${TAGS[piece.type]}>`;
      }
    })
    .join("");
}

const firstLine = (text: string) => text.split("\n", 1)[0]?.slice(0, 100) ?? "";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escaped = (text: string) => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; background: light-dark(#fbfaf8, #15171a); color: light-dark(#1d2125, #e7e9eb); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 50rem; margin: 0 auto; padding: 2rem 1rem; overflow-wrap: anywhere; }
a { color: light-dark(#1f6f5c, #5cc4a7); }
.prompt { margin: 2rem 0 1rem; padding: 0.5rem 1rem; border-radius: 10px; background: light-dark(#e3f0ec, #1d3029); white-space: pre-wrap; }
.prompt p { margin: 0; }
details { margin: 0.5rem 0; padding: 0.4rem 0.8rem; border: 1px solid light-dark(#e2ded7, #2e3338); border-radius: 8px; }
.failed > summary { color: light-dark(#b3261e, #f2867e); }
pre { overflow: auto; padding: 0.6rem; background: light-dark(#f3f1ed, #111315); border-radius: 6px; font-size: 0.85rem; }
summary code { opacity: 0.7; }
table { border-collapse: collapse; } td, th { padding: 0.3rem 0.6rem; border: 1px solid light-dark(#e2ded7, #2e3338); }
img { max-width: 100%; }
.notice { color: light-dark(#5c646b, #a0a8af); font-size: 0.9rem; }
`;
