import { Disposition } from "@agentwire/api";
import { editMade, editOf, parseInput, summaryOf, withoutErrorTags } from "@agentwire/view/text";
import type { AskedQuestion, CallItem } from "@agentwire/view/timeline";
import type { ComponentChildren } from "preact";
import { useContext, useMemo, useState } from "preact/hooks";
import { parseAnsi } from "../text/ansi.ts";
import { imagesOf } from "../text/images.ts";
import { within } from "../text/paths.ts";
import { outcomeWords, span } from "../text/words.ts";
import { DiffView } from "./diff-view.tsx";
import { Folder, IsOurs } from "./folder.ts";
import { Images } from "./images.tsx";
import { InputView } from "./input-view.tsx";
import { SettledQuestion } from "./settled-question.tsx";

interface CardProps {
  readonly item: CallItem;
  /** The steps of a subagent started by the call. */
  readonly children?: ComponentChildren;
}

/** A tool call: its input, its result and its duration. */
export function CallCard({ item, children }: CardProps) {
  const { name, inputJson, result, question } = item;
  const folder = useContext(Folder);
  const input = parseInput(inputJson);
  const edit = (result && !result.isError && editMade(result.structuredJson)) || editOf(name, input);
  const state = stateOf(item);
  // File edits start unfolded, unless a question is showing the same diff.
  const isOpen = state === "failed" || (edit !== undefined && state !== "asking");
  return (
    <>
      <details class={`call ${state}`} open={isOpen} data-tool={name}>
        <summary>
          <span class={`mark ${state}`} role="img" aria-label={state} />
          <span class="call-name">{name || "An earlier call"}</span>
          <span class="call-gist">{within(edit ? edit.path : summaryOf(input), folder)}</span>
          {edit && (
            <span class="counts">
              <span class="plus">+{edit.added}</span> <span class="minus">−{edit.removed}</span>
            </span>
          )}
          {question?.settled && <Decided settled={question.settled} />}
          {result && result.durationMs > 0n && <span class="took">{span(Number(result.durationMs))}</span>}
        </summary>
        <div class="call-body">
          {edit ? <DiffView edit={edit} /> : <InputView name={name} input={input} />}
          {question && <SettledQuestion asked={question} />}
          {result && <Images images={imagesOf(result.contentJson)} />}
          {result && (!edit || result.isError) && (
            <OutputView text={withoutErrorTags(result.text)} isError={result.isError} />
          )}
        </div>
      </details>
      {state === "running" && item.output !== "" && <RunningOutput text={item.output} />}
      {children}
    </>
  );
}

/** Who decided about a call, visible even when the card is folded. */
function Decided({ settled }: { readonly settled: NonNullable<AskedQuestion["settled"]> }) {
  const isOurs = useContext(IsOurs);
  const isAllowed = settled.disposition === Disposition.ALLOWED;
  return <span class={`decided tag ${isAllowed ? "good" : "bad"}`}>{outcomeWords(settled, isOurs)}</span>;
}

function stateOf({
  result,
  isAbandoned,
  question,
}: CallItem): "done" | "failed" | "asking" | "running" | "stopped" {
  if (result) return result.isError ? "failed" : "done";
  if (isAbandoned) return "stopped";
  return question && !question.settled ? "asking" : "running";
}

const FEW_LINES = 30;
const FEW_CHARS = 6000;

const LAST_LINES = 12;

/** The end of a running command's output; replaced by the result. */
function RunningOutput({ text }: { readonly text: string }) {
  const lines = text.trimEnd().split("\n");
  return (
    <pre class="running-output" role="log" aria-label="Output so far" aria-live="off">
      {lines.length > LAST_LINES && "…\n"}
      <TerminalText text={lines.slice(-LAST_LINES).join("\n")} />
    </pre>
  );
}

/** The output of a call; long output is cut until the user expands it. */
function OutputView({ text, isError }: { readonly text: string; readonly isError: boolean }) {
  const [isWhole, setWhole] = useState(false);
  if (text === "") return null;
  const lines = text.split("\n", FEW_LINES + 1);
  const isLong = lines.length > FEW_LINES || text.length > FEW_CHARS;
  const shown = isWhole || !isLong ? text : lines.slice(0, FEW_LINES).join("\n").slice(0, FEW_CHARS);
  return (
    <div class={`output ${isError ? "error" : ""}`}>
      <pre tabIndex={0}>
        <TerminalText text={shown} />
      </pre>
      {isLong && (
        <button type="button" class="small quiet" onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show less" : "Show all"}
        </button>
      )}
    </div>
  );
}

/** Terminal output, with its colors. */
export function TerminalText({ text }: { readonly text: string }) {
  const pieces = useMemo(() => parseAnsi(text), [text]);
  return (
    <>
      {pieces.map(({ text: words, style }, index) =>
        style === "" ? (
          words
        ) : (
          <span key={index} class={style}>
            {words}
          </span>
        ),
      )}
    </>
  );
}
