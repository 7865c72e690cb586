import type { ComponentChildren } from "preact";
import { clock } from "../text/words.ts";
import type { Item } from "../timeline/item.ts";
import { CallCard } from "./call-card.tsx";
import { Markdown } from "./markdown.tsx";
import { memo } from "./memo.ts";
import { NoticeRow } from "./notice-row.tsx";
import { PromptRow } from "./prompt-row.tsx";
import { SettledQuestion } from "./settled-question.tsx";
import { TurnRow } from "./turn-row.tsx";

interface RowProps {
  readonly item: Item;
  /** Shows what an item was made of. */
  readonly onRaw: (item: Item) => void;
}

/** One thing that happened. */
export const ItemRow = memo(({ item, onRaw }: RowProps) => (
  <li class="item" data-seq={item.seq} data-key={item.key}>
    {contentOf(item, onRaw)}
    <button
      type="button"
      class="raw-button quiet small"
      aria-label={`Event ${item.seq} as it came`}
      title={`${clock(item.timeMs)} · event ${item.seq}`}
      onClick={() => onRaw(item)}
    >
      {"{ }"}
    </button>
  </li>
));

function contentOf(item: Item, onRaw: RowProps["onRaw"]): ComponentChildren {
  switch (item.kind) {
    case "prompt":
      return <PromptRow item={item} />;
    case "said":
      return (
        <div class={`said ${item.stage}`}>
          <Markdown text={item.text} />
          {item.stage === "cut" && <p class="cut">It was cut off here.</p>}
        </div>
      );
    case "thought":
      return (
        <details class="thought">
          <summary>{item.stage === "open" ? "Thinking…" : "Thought"}</summary>
          <Markdown text={item.text} />
        </details>
      );
    case "draft":
      return (
        <p class="drafting">{item.stage === "open" ? "Writing a tool call…" : "A tool call was cut off."}</p>
      );
    case "call":
      return (
        <CallCard item={item}>
          {item.children.length > 0 && (
            <details class="inner" open={item.result === undefined}>
              <summary>
                {item.children.length === 1 ? "One step" : `${item.children.length} steps`} inside
              </summary>
              <ol class="items nested">
                {item.children.map((child) => (
                  <ItemRow key={child.key} item={child} onRaw={onRaw} />
                ))}
              </ol>
            </details>
          )}
        </CallCard>
      );
    case "question":
      return <SettledQuestion asked={item} />;
    case "turn":
      return <TurnRow item={item} />;
    case "notice":
      return <NoticeRow item={item} />;
    case "raw":
      return <p class="raw-line">{item.type}</p>;
  }
}
