import { PromptState, type TurnComplete } from "@agentwire/api";
import type { Item, NoticeItem, PromptItem, TurnItem } from "@agentwire/view/timeline";
import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { documentsOf } from "../text/attachments.ts";
import { imagesOf } from "../text/images.ts";
import { clock, cost, count, span, tokens } from "../text/words.ts";
import { CallCard } from "./call-card.tsx";
import { IsOurs, OnRewind } from "./folder.ts";
import { Images } from "./images.tsx";
import { Markdown } from "./markdown.tsx";
import { memo } from "./memo.ts";
import { SettledQuestion } from "./settled-question.tsx";

interface RowProps {
  readonly item: Item;
  /** Shows the item's raw event; absent where that is not offered. */
  readonly onRaw?: ((item: Item) => void) | undefined;
  /** Whether the item is the current search result. */
  readonly isFound?: boolean;
}

/** One item of the history. */
export const ItemRow = memo(({ item, onRaw, isFound }: RowProps) => (
  <li class={isFound ? "item found" : "item"} data-seq={item.seq} data-key={item.key}>
    {contentOf(item, onRaw)}
    {onRaw && (
      <button
        type="button"
        class="raw-button quiet small"
        aria-label={`Event ${item.seq} as received`}
        title={`${clock(item.timeMs)} · event ${item.seq}`}
        onClick={() => onRaw(item)}
      >
        {"{ }"}
      </button>
    )}
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
          {item.stage === "cut" && <p class="cut">Cut off here.</p>}
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
              <summary>{item.children.length === 1 ? "1 step" : `${item.children.length} steps`}</summary>
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

/** A prompt and its state. */
function PromptRow({ item }: { readonly item: PromptItem }) {
  const images = imagesOf(item.contentJson);
  const documents = documentsOf(item.contentJson);
  const isOurs = useContext(IsOurs)(item.client);
  const rewind = useContext(OnRewind);
  const isCancelled = item.state === PromptState.CANCELLED && !item.isCutOff;
  return (
    <div class={`prompt-bubble ${isCancelled ? "cancelled" : ""}`}>
      {item.text !== "" && <p class="prompt-text">{item.text}</p>}
      <Images images={images} />
      {documents.length > 0 && (
        <ul class="prompt-files" aria-label="Attached files">
          {documents.map((name, index) => (
            <li key={index} class="attached-file">
              {name}
            </li>
          ))}
        </ul>
      )}
      <p class="byline">
        {!isOurs && item.client}
        {item.state === PromptState.QUEUED && <span class="tag">queued</span>}
        {isCancelled && <span class="tag">cancelled</span>}
        {item.isCutOff && <span class="tag bad">not finished</span>}
        {item.state === PromptState.COMPLETED && (
          <button
            type="button"
            class="rewind-button quiet small"
            aria-label="Rewind to before this message"
            title="Rewind to before this message, or fork from here"
            onClick={() => rewind(item)}
          >
            ↶
          </button>
        )}
      </p>
      {item.reason !== undefined && <p class="byline">{item.reason}</p>}
    </div>
  );
}

function turnOutcome({ isError, failure, errors, subtype }: TurnComplete): string {
  if (!isError) return "done";
  if (failure !== "") return `The turn failed: ${failure}`;
  return errors[0]
    ? `The turn ended early: ${errors[0]}`
    : `The turn ended early: ${subtype.replaceAll("_", " ")}`;
}

/** The end of a turn: its outcome, duration and usage. */
function TurnRow({ item: { turn, usage } }: { readonly item: TurnItem }) {
  const facts = [
    span(Number(turn.durationMs)),
    ...(usage?.turn && tokens(usage.turn) > 0 ? [`${count(tokens(usage.turn))} tokens`] : []),
    ...(usage?.session && cost(usage.session) !== "" ? [`${cost(usage.session)} so far`] : []),
  ];
  return (
    <div class={`turn-end ${turn.isError ? "error" : ""}`}>
      <span>{turnOutcome(turn)}</span>
      <span>{facts.join(" · ")}</span>
    </div>
  );
}

/** A notice that is not part of the conversation. */
function NoticeRow({ item: { tone, text, detail } }: { readonly item: NoticeItem }) {
  return (
    <div class={`notice-row ${tone}`}>
      <p>{text}</p>
      {detail !== "" && (
        <details>
          <summary>Last output</summary>
          <pre>{detail}</pre>
        </details>
      )}
    </div>
  );
}
