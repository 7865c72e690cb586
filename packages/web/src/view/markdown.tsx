import type { Inline } from "@agentwire/view/markdown";
import { type Block, type ListItem, parseMarkdown, plain, Segmenter } from "@agentwire/view/markdown";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { CodeText } from "./code-text.tsx";
import { CopyButton } from "./copy-button.tsx";

/** Renders Markdown; nothing in it is ever treated as HTML. While the text grows, only its last part is parsed again. */
export function Markdown({ text }: { readonly text: string }) {
  const segmenter = useMemo(() => new Segmenter(), []);
  const { parts, rest } = segmenter.split(text);
  return (
    <div class="markdown">
      {parts.map((part, index) => (
        <Part key={index} text={part} />
      ))}
      {rest !== "" && blockView(plain(rest), parts.length)}
    </div>
  );
}

/** Returns the same vnode until the text changes, so that Preact skips it. */
function Part({ text }: { readonly text: string }) {
  return useMemo(() => <>{parseMarkdown(text).map(blockView)}</>, [text]);
}

function blockView(block: Block, key: number): ComponentChildren {
  switch (block.type) {
    case "heading": {
      // Levels 1 and 2 are reserved for the page's own headings.
      const Tag = `h${Math.min(6, block.level + 2)}` as "h3";
      return <Tag key={key}>{block.inside.map(inlineView)}</Tag>;
    }
    case "paragraph":
      return <p key={key}>{block.inside.map(inlineView)}</p>;
    case "code":
      return (
        <div class="code-block" key={key}>
          <div class="code-head">
            <span>{block.language}</span>
            <CopyButton text={block.text} />
          </div>
          <pre tabIndex={0}>
            <CodeText text={block.text} language={block.language} />
          </pre>
        </div>
      );
    case "quote":
      return <blockquote key={key}>{block.blocks.map(blockView)}</blockquote>;
    case "list":
      return block.start === undefined ? (
        <ul key={key}>{block.items.map(itemView)}</ul>
      ) : (
        <ol key={key} start={block.start}>
          {block.items.map(itemView)}
        </ol>
      );
    case "table":
      return (
        <div class="table-frame" key={key} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {block.head.map((cell, column) => (
                  <th key={column} scope="col" class={block.aligned[column]}>
                    {cell.map(inlineView)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, index) => (
                <tr key={index}>
                  {row.map((cell, column) => (
                    <td key={column} class={block.aligned[column]}>
                      {cell.map(inlineView)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case "rule":
      return <hr key={key} />;
  }
}

/** Renders a list item; its paragraphs are rendered inline. */
function itemView({ ticked, blocks }: ListItem, key: number) {
  const box = ticked === undefined ? "" : ticked ? "☑ " : "☐ ";
  return (
    <li key={key} class={ticked === undefined ? "" : "task"}>
      {box}
      {blocks.map((block, index) =>
        block.type === "paragraph" ? block.inside.map(inlineView) : blockView(block, index),
      )}
    </li>
  );
}

function inlineView(piece: Inline, key: number): ComponentChildren {
  switch (piece.type) {
    case "text":
      return piece.text;
    case "code":
      return <code key={key}>{piece.text}</code>;
    case "strong":
      return <strong key={key}>{piece.inside.map(inlineView)}</strong>;
    case "emphasis":
      return <em key={key}>{piece.inside.map(inlineView)}</em>;
    case "struck":
      return <s key={key}>{piece.inside.map(inlineView)}</s>;
    case "image":
      return <img key={key} class="inline-image" src={piece.source} alt={piece.text} />;
    case "link":
      return (
        <a key={key} href={piece.href} target="_blank" rel="noopener noreferrer">
          {piece.inside.map(inlineView)}
        </a>
      );
  }
}
