import { oneLine } from "../../render/plain.ts";
import type { Answering } from "../model/answering.ts";
import { restOf } from "../model/apply-news.ts";
import { isWorking, type ScreenState } from "../model/state.ts";
import { itemRows, type PaintOptions } from "./item-rows.ts";
import { pickerRows } from "./picker-rows.ts";
import { type Cursor, promptRows } from "./prompt-rows.ts";
import { questionRows } from "./question-rows.ts";
import { cutRow, LOOK, type Row, shown, span, wrap } from "./span.ts";
import { queueRows, statusRow, todoRows } from "./status-rows.ts";

/** The size of the terminal. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** The rows of the live part of the screen, and the cursor. */
export interface Frame {
  readonly rows: readonly Row[];
  readonly cursor: Cursor | undefined;
}

const MAX_NOTE_ROWS = 3;

const SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";

/** Paints the live part: current activity, questions and lists, the prompt, the status. It always fits on the screen. */
export function paintFrame(state: ScreenState, size: Size, nowMs: number): Frame {
  const columns = Math.max(20, size.columns - 1);
  const max = Math.max(4, size.rows - 1);
  const status = [statusRow(state, columns), ...noteRows(state, columns, nowMs)];
  const prompt = promptRows(state, columns, Math.max(1, Math.min(10, max - 6)));
  const below = prompt.rows.length + status.length;
  const middle = middleRows(state, columns, max - below);
  const room = max - below - middle.length;
  const live = room > 0 ? liveRows(state, columns, nowMs, room) : [];
  const cursor = middle.cursor
    ? { row: live.length + middle.cursor.row, column: middle.cursor.column }
    : prompt.cursor && { row: live.length + middle.length + prompt.cursor.row, column: prompt.cursor.column };
  const rows = [...live, ...middle.rows, ...prompt.rows, ...status].map((row) => cutRow(row, columns));
  return { rows, cursor };
}

interface Middle {
  readonly rows: readonly Row[];
  readonly length: number;
  readonly cursor?: Cursor;
}

/** A list or a question, else the to-do list and queued prompts. */
function middleRows(state: ScreenState, columns: number, room: number): Middle {
  // An open list stays open; the question is shown once it is closed.
  const { answering } = state;
  if (state.picker) {
    const waiting = answering ? [waitingRow(answering)] : [];
    const rows = [...waiting, ...pickerRows(state.picker, columns, Math.min(room - waiting.length, 12))];
    return { rows, length: rows.length };
  }
  if (answering) {
    const { rows, cursor } = questionRows(answering, columns, room);
    return { rows, length: rows.length, ...(cursor && { cursor }) };
  }
  const rows = [...todoRows(state, columns), ...queueRows(state, columns)].slice(0, Math.max(0, room - 3));
  return { rows, length: rows.length };
}

const waitingRow = ({ question }: Answering): Row => [
  span("? ", LOOK.yellow),
  span(`${oneLine(question.toolName, 60)} is waiting for your answer: close the list first`, LOOK.yellow),
];

/** The end of the unfinished output. */
function liveRows(state: ScreenState, columns: number, nowMs: number, room: number): Row[] {
  const options: PaintOptions = { columns, isExpanded: state.isExpanded, cwd: state.cwd };
  const rows: Row[] = [];
  for (const item of state.items) {
    if (item.kind === "prompt") continue;
    const shown = item.kind === "said" ? { ...item, text: restOf(item, state.written) } : item;
    const painted = itemRows(shown, options);
    if (painted.length > 0) rows.push([], ...painted);
  }
  // While the daemon is lost, nobody knows whether the turn still runs.
  const working = isWorking(state) && state.lost === undefined ? [[], workingRow(state, nowMs)] : [];
  const kept = Math.max(0, room - working.length - 1);
  const tail = rows.length > kept ? rows.slice(rows.length - kept) : rows;
  return [...tail, ...working, []].slice(-room);
}

function workingRow({ busySinceMs, answering }: ScreenState, nowMs: number): Row {
  if (answering) return [span("? ", LOOK.yellow), span("waiting for your answer", LOOK.dim)];
  const seconds = Math.max(0, Math.floor((nowMs - busySinceMs) / 1000));
  const mark = SPINNER[Math.floor(nowMs / 120) % SPINNER.length] ?? "";
  return [span(`${mark} `, LOOK.cyan), span(`working · ${seconds} s · Esc interrupts`, LOOK.dim)];
}

function noteRows({ note, lost }: ScreenState, columns: number, nowMs: number): Row[] {
  if (lost !== undefined)
    return wrap([span(`… ${shown(lost)}`, LOOK.yellow)], { columns }).slice(0, MAX_NOTE_ROWS);
  if (!note || note.untilMs < nowMs) return [];
  return wrap([span(note.text, note.isBad ? LOOK.red : LOOK.dim)], { columns }).slice(0, MAX_NOTE_ROWS);
}
