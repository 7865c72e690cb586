import { oneLine, oneLineEnd } from "../../render/plain.ts";
import { printSpent, printTokens } from "../../render/usage-line.ts";
import type { ScreenState } from "../model/state.ts";
import { both, cutRow, inVisualOrder, LOOK, type Row, rowWidth, span } from "./span.ts";

const MODE_LOOKS: ReadonlyMap<string, string> = new Map([
  ["acceptEdits", LOOK.magenta],
  ["plan", LOOK.blue],
  ["bypassPermissions", LOOK.red],
  ["auto", LOOK.yellow],
]);

/** The status row: mode, model, context, cost, folder, and a note if other sessions are asking. */
export function statusRow(state: ScreenState, columns: number): Row {
  const { facts, askingElsewhere } = state;
  const mode = state.mode || "default";
  const model = state.model || facts?.info?.model || facts?.session.lastModel || "";
  const usage = facts?.usage;
  const money = usage?.session ?? facts?.session.usage;
  const asking =
    askingElsewhere > 0
      ? [
          span(
            `● ${askingElsewhere} ${askingElsewhere === 1 ? "session asks" : "sessions ask"} (Ctrl-G)`,
            both(LOOK.bold, LOOK.yellow),
          ),
        ]
      : undefined;
  const parts: Row[] = [
    // What needs attention comes first.
    ...(asking ? [asking] : []),
    [span(`${mode} mode`, MODE_LOOKS.get(mode) ?? LOOK.dim)],
    ...(model === "" ? [] : [[span(oneLine(model, 32), LOOK.dim)]]),
    ...contextPart(state),
    ...(money && (money.costUsd !== undefined || money.costIncomplete)
      ? [[span(printSpent(money), LOOK.dim)]]
      : []),
  ];
  const row = parts.flatMap((part, index) => [...(index > 0 ? [DOT] : []), ...part]);
  return cutRow([...row, ...folderPart(state, columns, columns - rowWidth(row) - DOT.text.length)], columns);
}

const DOT = span(" · ", LOOK.dim);
const MIN_FOLDER = 10;

/** The end of the folder's path, if there is room for a useful part of it. */
function folderPart(state: ScreenState, columns: number, room: number): Row {
  if (room < MIN_FOLDER) return [];
  const max = Math.min(room, Math.max(MIN_FOLDER, columns - 60));
  return [DOT, span(oneLineEnd(abbreviateHome(state), max), LOOK.dim)];
}

/** Abbreviates the home folder to `~`. */
export const abbreviateHome = ({ cwd, home }: Pick<ScreenState, "cwd" | "home">): string =>
  home !== "" && (cwd === home || cwd.startsWith(`${home}/`)) ? `~${cwd.slice(home.length)}` : cwd;

interface Tokens {
  readonly inputTokens: bigint;
  readonly cacheCreationInputTokens: bigint;
  readonly cacheReadInputTokens: bigint;
}

const contextOf = ({ inputTokens, cacheCreationInputTokens, cacheReadInputTokens }: Tokens) =>
  Number(inputTokens + cacheCreationInputTokens + cacheReadInputTokens);

/** How full the context is; if the agent does not report it, the input tokens of the last turn. */
function contextPart({ context, facts }: ScreenState): Row[] {
  if (context && context.max > 0) {
    const percent = Math.round((100 * context.used) / context.max);
    const look = percent >= 90 ? LOOK.red : percent >= 75 ? LOOK.yellow : LOOK.dim;
    return [[span(`${percent} % of ${printTokens(context.max)} context`, look)]];
  }
  const turn = facts?.usage?.turn;
  return turn && contextOf(turn) > 0 ? [[span(`${printTokens(contextOf(turn))} tokens in`, LOOK.dim)]] : [];
}

const TODO_MARKS: ReadonlyMap<string, readonly [string, string]> = new Map([
  ["completed", ["☑", both(LOOK.dim, LOOK.struck)]],
  ["in_progress", ["◐", both(LOOK.bold, LOOK.cyan)]],
]);

/** The to-do list, while anything on it is open. */
export function todoRows({ facts }: ScreenState, columns: number): Row[] {
  const todos = facts?.todos ?? [];
  if (todos.every(({ status }) => status === "completed")) return [];
  const done = todos.filter(({ status }) => status === "completed").length;
  const rows = todos.map(({ content, activeForm, status }) => {
    const [mark, look] = TODO_MARKS.get(status) ?? ["☐", ""];
    const text = status === "in_progress" && activeForm !== "" ? activeForm : content;
    return cutRow(
      [span(`  ${mark} `, LOOK.cyan), ...inVisualOrder([span(oneLine(text, 200), look)])],
      columns,
    );
  });
  return [
    [span(`To do: ${done} of ${todos.length} done`, LOOK.dim)],
    ...around(
      rows,
      todos.findIndex(({ status }) => status === "in_progress"),
    ),
  ];
}

const TODOS = 6;

function around(rows: readonly Row[], at: number): Row[] {
  if (rows.length <= TODOS) return [...rows];
  const from = Math.max(0, Math.min(at - 2, rows.length - TODOS));
  return [...rows.slice(from, from + TODOS), [span(`  … ${rows.length - TODOS} more`, LOOK.dim)]];
}

/** The queued prompts. */
export function queueRows({ facts }: ScreenState, columns: number): Row[] {
  const queue = facts?.queue ?? [];
  return queue
    .slice(0, 4)
    .map(({ text }) =>
      cutRow(
        [span("⏳ next: ", LOOK.yellow), ...inVisualOrder([span(oneLine(text, columns), LOOK.dim)])],
        columns,
      ),
    );
}
