import { PromptState } from "@agentwire/api";
import type { CallItem, Item, NoticeItem, TurnItem } from "@agentwire/view/timeline";
import { oneLine } from "../../render/plain.ts";
import { printDecision } from "../../render/question-line.ts";
import { printSpan } from "../../render/time.ts";
import { printUsage } from "../../render/usage-line.ts";
import { callBody, callTitle } from "./call-rows.ts";
import { markdownRows } from "./markdown-rows.ts";
import { both, inVisualOrder, LOOK, linesOf, type Row, shown, span, wrap } from "./span.ts";

/** How to paint an item. */
export interface PaintOptions {
  readonly columns: number;
  /** Whether thinking and long outputs are shown in full. */
  readonly isExpanded: boolean;
  /** Paths below this folder are shown relative to it. */
  readonly cwd: string;
}

/** The rows of one item; none for items that are shown elsewhere. */
export function itemRows(item: Item, options: PaintOptions): Row[] {
  const { columns } = options;
  switch (item.kind) {
    case "prompt":
      return [
        ...linesOf([span(shown(item.text), LOOK.bold)]).flatMap((line, index) =>
          wrap(line, {
            columns,
            first: [span(index === 0 ? "› " : "  ", both(LOOK.bold, LOOK.cyan))],
            rest: [span("  ")],
          }),
        ),
        ...imageRow(item.contentJson),
        ...(item.state === PromptState.CANCELLED
          ? [
              [
                span(
                  `  not answered${item.reason === undefined ? "" : `: ${oneLine(item.reason, 200)}`}`,
                  LOOK.yellow,
                ),
              ],
            ]
          : []),
      ];
    case "said":
      return item.text.trim() === "" ? [] : markdownRows(item.text, columns);
    case "thought":
      return thoughtRows(item.text, item.stage === "open", options);
    case "draft":
      return [[span("● ", LOOK.yellow), span("writing a tool call …", LOOK.dim)]];
    case "call":
      // A placeholder for a call that is older than the events shown.
      return item.name === "" ? [] : callRows(item, options);
    case "question":
      return item.settled ? [[span(`  ${printDecision(item.settled)}`, LOOK.dim)]] : [];
    case "turn":
      return turnRows(item, columns);
    case "notice":
      return noticeRows(item, options);
    case "raw":
      return [];
  }
}

function imageRow(contentJson: string): Row[] {
  const count = contentJson.split('"type":"image"').length - 1;
  return count > 0 ? [[span(`  [${count === 1 ? "1 image" : `${count} images`}]`, LOOK.dim)]] : [];
}

function thoughtRows(text: string, isOpen: boolean, { columns, isExpanded }: PaintOptions): Row[] {
  const trimmed = text.trim();
  if (trimmed === "") return isOpen ? [[span("∴ thinking …", LOOK.dim)]] : [];
  if (isExpanded)
    return linesOf([span(shown(trimmed), both(LOOK.dim, LOOK.italic))]).flatMap((line, index) =>
      wrap(line, { columns, first: [span(index === 0 ? "∴ " : "  ", LOOK.dim)], rest: [span("  ")] }),
    );
  const last = isOpen ? (trimmed.split("\n").at(-1) ?? "") : trimmed;
  const hint = isOpen ? "" : "  (Ctrl-O)";
  return [
    [
      span("∴ ", both(LOOK.dim, LOOK.italic)),
      ...inVisualOrder([
        span(oneLine(last, Math.max(10, columns - 4 - hint.length)), both(LOOK.dim, LOOK.italic)),
      ]),
      span(hint, LOOK.dim),
    ],
  ];
}

function callRows(call: CallItem, options: PaintOptions): Row[] {
  const { result, isAbandoned, question, children } = call;
  const isOver = result !== undefined || isAbandoned;
  const look = !isOver ? LOOK.yellow : result?.isError || isAbandoned ? LOOK.red : LOOK.green;
  const end = result
    ? Number(result.durationMs) >= 1000
      ? ` · ${printSpan(Number(result.durationMs))}`
      : ""
    : isAbandoned
      ? " · interrupted"
      : " …";
  const title = wrap([...callTitle(call, options), span(end, LOOK.dim)], {
    columns: options.columns,
    first: [span("● ", look)],
    rest: [span("  ")],
  });
  const settled = question?.settled;
  const isTold = settled && (settled.decidedBy !== "rule" || result?.isError);
  return [
    ...title,
    ...(isTold ? [[span(`  ⎿ ${printDecision(settled)}`, LOOK.dim)]] : []),
    ...childRows(children, isOver, options),
    ...callBody(call, options),
  ];
}

const LIVE_CHILDREN = 3;

/** A subagent's calls: the latest ones while it runs, their number when it is done. */
function childRows(children: readonly Item[], isOver: boolean, options: PaintOptions): Row[] {
  const { columns, isExpanded } = options;
  const calls = children.filter((child): child is CallItem => child.kind === "call");
  if (calls.length === 0) return [];
  if (isOver && !isExpanded)
    return [[span(`  ⎿ ${calls.length} tool ${calls.length === 1 ? "call" : "calls"} inside`, LOOK.dim)]];
  return calls
    .slice(isExpanded ? 0 : -LIVE_CHILDREN)
    .flatMap((call) => wrap(callTitle(call, options), { columns, first: [span("  │ ", LOOK.dim)] }));
}

function turnRows({ turn, usage, isFailureStated }: TurnItem, columns: number): Row[] {
  // A failure is named; an interrupt is not a failure.
  if (turn.terminalReason.startsWith("aborted")) return [[span("  (interrupted)", LOOK.yellow)]];
  if (turn.isError) {
    if (isFailureStated) return [[span("✗ the turn failed", LOOK.red)]];
    const why = turn.failure || turn.errors.join("; ") || turn.text || turn.subtype;
    return wrap([span(`✗ the turn failed: ${oneLine(why, 600)}`, LOOK.red)], { columns, rest: [span("  ")] });
  }
  const took = usage?.turn ? printUsage(usage.turn) : "";
  return [[span(`  (${printSpan(Number(turn.durationMs))}${took === "" ? "" : `, ${took}`})`, LOOK.dim)]];
}

const TONES: Readonly<Record<NoticeItem["tone"], string>> = {
  quiet: LOOK.dim,
  warning: LOOK.yellow,
  error: LOOK.red,
};

function noticeRows({ tone, text, detail }: NoticeItem, { columns, isExpanded }: PaintOptions): Row[] {
  const isLong = tone === "error" || isExpanded;
  const more =
    detail.trim() === ""
      ? []
      : linesOf([span(shown(detail.trim()), LOOK.dim)]).slice(isLong ? -8 : 0, isLong ? undefined : 0);
  return [
    ...wrap([span(shown(text).replaceAll("\n", " "), TONES[tone])], {
      columns,
      first: [span(tone === "error" ? "✗ " : "! ", TONES[tone])],
      rest: [span("  ")],
    }),
    ...more.flatMap((line) => wrap(line, { columns, first: [span("  ")] })),
  ];
}
