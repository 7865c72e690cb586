import { editOf, parseInput, pretty, textField } from "@agentwire/view/text";
import { oneLine } from "../../render/plain.ts";
import { printDeadline, printElicitation } from "../../render/question-line.ts";
import { widthOf } from "../../terminal/width.ts";
import {
  type AnswerForm,
  type Answering,
  answerKeys,
  askedNow,
  commandOf,
  entriesOf,
} from "../model/answering.ts";
import { codeRows } from "./code-rows.ts";
import { changeWords, diffRows } from "./diff-rows.ts";
import { markdownRows } from "./markdown-rows.ts";
import { editorRows, type Painted } from "./prompt-rows.ts";
import { both, cutRow, LOOK, linesOf, type Row, shown, span, wrap } from "./span.ts";

/** A question with all its details; what doesn't fit can be scrolled. */
export function questionRows(answering: Answering, columns: number, room: number): Painted {
  const { question, offset } = answering;
  const asked = askedNow(answering);
  const title = asked
    ? `${asked.header === "" ? "Question" : oneLine(asked.header, 40)}`
    : question.toolName === "ExitPlanMode"
      ? "The plan is ready"
      : `${oneLine(question.toolName, 60)} needs your permission`;
  const body = asked ? optionRows(answering, columns - 2) : bodyRows(answering, columns - 2);
  const foot = asked ? userFoot(answering, columns - 2) : permissionFoot(answering, columns - 2);
  const space = Math.max(1, room - foot.rows.length - 2);
  const isCut = body.length > space;
  const from = isCut ? Math.min(offset, body.length - space + 1) : 0;
  const seen = isCut ? body.slice(from, from + space - 1) : body;
  const left = body.length - from - seen.length;
  const more = isCut
    ? [[span(`… ${left > 0 ? `${left} more rows` : "this is the end"} (PgUp, PgDn)`, LOOK.yellow)]]
    : [];
  const edge = (text: string) => span(text, LOOK.yellow);
  const rows: Row[] = [
    cutRow(
      [
        edge("╭ "),
        span(title, both(LOOK.bold, LOOK.yellow)),
        edge(` ${"─".repeat(Math.max(0, columns - widthOf(title) - 3))}`),
      ],
      columns,
    ),
    ...[...seen, ...more, ...foot.rows].map((row) => [edge("│ "), ...row]),
    [edge(`╰${"─".repeat(columns - 1)}`)],
  ];
  const above = 1 + seen.length + more.length;
  return {
    rows,
    cursor: foot.cursor && { row: above + foot.cursor.row, column: foot.cursor.column + 2 },
  };
}

/** Exactly what the call would do. */
function bodyRows(answering: Answering, columns: number): Row[] {
  const { question, cwd } = answering;
  const { toolName, inputJson, reason, blockedPath } = question;
  const input = parseInput(inputJson);
  const edit = editOf(toolName, input);
  const command = commandOf(answering);
  const notes = [
    reason,
    blockedPath === "" ? "" : `about ${blockedPath}`,
    printDeadline(question, Date.now()),
  ].filter((note) => note !== "" && note !== command);
  return [
    ...(toolName === "ExitPlanMode"
      ? markdownRows(textField(input, "plan"), columns)
      : edit
        ? [
            ...wrap(
              [
                span(shown(edit.path.replace(`${cwd}/`, "")), LOOK.bold),
                span(` ${changeWords(edit)}`, LOOK.dim),
              ],
              {
                columns,
              },
            ),
            ...diffRows(edit, columns),
          ]
        : command !== ""
          ? linesOf([span(shown(command))]).flatMap((line, index) =>
              wrap(line, {
                columns,
                first: [span(index === 0 ? "$ " : "  ", LOOK.dim)],
                rest: [span("  ")],
                byWord: false,
              }),
            )
          : codeRows(pretty(inputJson), "json", columns)),
    ...notes.flatMap((note) => wrap([span(shown(note).replaceAll("\n", " "), LOOK.dim)], { columns })),
  ];
}

const LABELS: Readonly<Record<AnswerForm, string>> = {
  keys: "",
  session: "Allow until the session ends: ",
  always: "Always allow in this project: ",
  reason: "No, because: ",
  command: "Run instead: ",
  own: "In your own words: ",
};

function permissionFoot(answering: Answering, columns: number): Painted {
  if (answering.form !== "keys") return formFoot(answering, columns);
  return { rows: keyRows(answering, answerKeys(answering), columns), cursor: undefined };
}

/** The keys that answer; if the prompt has the focus, a hint to press Tab. */
function keyRows(
  { hasFocus, pressed }: Answering,
  keys: readonly (readonly [string, string])[],
  columns: number,
): Row[] {
  if (!hasFocus) return [[span("Tab", LOOK.bold), span(" to answer", LOOK.dim)]];
  const spans = keys.flatMap(([key, words], index) => [
    span(index > 0 ? "   " : ""),
    span(key, both(LOOK.bold, key === pressed.toLowerCase() ? LOOK.inverse : LOOK.cyan)),
    span(`\u00a0${words.replaceAll(" ", "\u00a0")}`),
  ]);
  return wrap(spans, { columns }).map((row) =>
    row.map(({ text, style }) => span(text.replaceAll("\u00a0", " "), style)),
  );
}

/** The minimum width of an input line next to its label. */
const MIN_FORM_WIDTH = 20;

function formFoot({ form, editor }: Answering, columns: number): Painted {
  const label = LABELS[form];
  // On a narrow screen the input gets the whole width.
  const isNarrow = columns - label.length < MIN_FORM_WIDTH;
  const { rows, cursor } = editorRows(editor, isNarrow ? columns : columns - label.length, 3);
  const hint = [span("Enter accepts · Esc goes back", LOOK.dim)];
  if (isNarrow) {
    const above = wrap([span(label.trimEnd(), LOOK.bold)], { columns });
    return {
      rows: [...above, ...rows, hint],
      cursor: { row: above.length + cursor.row, column: cursor.column },
    };
  }
  return {
    rows: [
      ...rows.map((row, index) => [span(index === 0 ? label : " ".repeat(label.length), LOOK.bold), ...row]),
      hint,
    ],
    cursor: { row: cursor.row, column: cursor.column + label.length },
  };
}

function optionRows(answering: Answering, columns: number): Row[] {
  const asked = askedNow(answering);
  if (!asked) return [];
  const { question, options, multiSelect } = asked;
  const { elicitation } = answering.question;
  return [
    ...(elicitation && !question.startsWith(elicitation.message)
      ? wrap([span(shown(printElicitation(elicitation)), LOOK.dim)], { columns })
      : []),
    ...wrap([span(shown(question), LOOK.bold)], { columns }),
    ...entriesOf(asked).flatMap(({ label, description }, index) => {
      const isMarked = answering.marked === index && answering.form === "keys";
      const box =
        !multiSelect || index === options.length ? "" : answering.chosen.includes(label) ? "☑ " : "☐ ";
      const more = description === "" || description === label ? "" : ` – ${shown(description)}`;
      return wrap(
        [span(`${box}${shown(label)}`, isMarked ? both(LOOK.bold, LOOK.cyan) : ""), span(more, LOOK.dim)],
        {
          columns,
          first: [span(isMarked ? "❯ " : "  ", LOOK.cyan), span(`${index + 1}. `, LOOK.dim)],
          rest: [span("     ")],
        },
      );
    }),
  ];
}

function userFoot(answering: Answering, columns: number): Painted {
  if (answering.form !== "keys") return formFoot(answering, columns);
  const { multiSelect } = askedNow(answering) ?? { multiSelect: false };
  const keys: readonly (readonly [string, string])[] = multiSelect
    ? [
        ["1–9, Space", "mark"],
        ["Enter", "done"],
        ["Esc", "no answer"],
      ]
    : [
        ["1–9, ↑↓ Enter", "choose"],
        ["Esc", "no answer"],
      ];
  return { rows: keyRows(answering, keys, columns), cursor: undefined };
}
