import { align, type Pair } from "./align.ts";
import { differingFields } from "./fields.ts";
import { type Item, MAIN } from "./item.ts";
import { isHandshake } from "./read-control.ts";
import type { Reduction } from "./reduce.ts";
import { same } from "./texts.ts";

/** One difference from the recording. */
export interface Difference {
  /** A hard difference may break a host. */
  readonly severity: "hard" | "soft";
  /** A description of the difference. */
  readonly text: string;
  /** The lines concerned, in the recording and in the transcript. */
  readonly lines: { readonly expected?: number; readonly actual?: number };
}

/** Compares what an agent did with the recording, in the order of the recording. */
export function compare(expected: Reduction, actual: Reduction): readonly Difference[] {
  const lanes = [...new Set([...expected.lanes.keys(), ...actual.lanes.keys()])];
  const found = lanes.flatMap((lane) =>
    compareLane(lane, expected.lanes.get(lane) ?? [], actual.lanes.get(lane) ?? []),
  );
  const inOrder = found.toSorted((a, b) => a.position - b.position).map(({ difference }) => difference);
  return [
    ...inOrder,
    ...compareNotices(expected.notices, actual.notices),
    ...compareLifecycles(expected.lifecycles, actual.lifecycles),
  ];
}

interface Found {
  readonly position: number;
  readonly difference: Difference;
}

function compareLane(lane: string, expected: readonly Item[], actual: readonly Item[]): readonly Found[] {
  const kinds = new Set(expected.map(({ kind }) => kind));
  let position = 0;
  return align(expected, actual).flatMap((pair) => {
    position = pair.expected?.line ?? position;
    return comparePair(lane, pair, kinds).map((difference) => ({ position, difference }));
  });
}

function comparePair(lane: string, pair: Pair, kinds: ReadonlySet<string>): readonly Difference[] {
  const where = lane === MAIN ? "" : `${lane}: `;
  const lines = {
    ...(pair.expected && { expected: pair.expected.line }),
    ...(pair.actual && { actual: pair.actual.line }),
  };
  if (pair.actual === undefined) {
    const text = `${where}${pair.expected.kind} is missing: ${gist(pair.expected)}`;
    return [{ severity: "hard", text, lines }];
  }
  if (pair.expected === undefined) {
    const { kind, optional } = pair.actual;
    const harmless = isHandshake(lane) || (optional && !kinds.has(kind));
    const text = `${where}${kind} is unexpected: ${gist(pair.actual)}`;
    return [{ severity: harmless ? "soft" : "hard", text, lines }];
  }
  const { kind } = pair.expected;
  return differingFields(pair.expected, pair.actual).map(({ severity, field, ...values }) => ({
    severity,
    text: `${where}${kind}: ${field} is ${show(values.actual)}, not ${show(values.expected)}`,
    lines,
  }));
}

function compareNotices(expected: readonly string[], actual: readonly string[]): readonly Difference[] {
  const count = (kinds: readonly string[], wanted: string) => kinds.filter((kind) => kind === wanted).length;
  return [...new Set([...expected, ...actual])]
    .map((kind) => ({ kind, wanted: count(expected, kind), got: count(actual, kind) }))
    .filter(({ wanted, got }) => wanted !== got)
    .map(({ kind, wanted, got }) => soft(`${kind} came ${got} times, not ${wanted}`));
}

type Lifecycles = ReadonlyMap<string, readonly string[]>;

function compareLifecycles(expected: Lifecycles, actual: Lifecycles): readonly Difference[] {
  const states = (lifecycles: Lifecycles, prompt: string) =>
    (lifecycles.get(prompt) ?? ["nothing"]).join(", ");
  return [...new Set([...expected.keys(), ...actual.keys()])]
    .filter((prompt) => !same(expected.get(prompt), actual.get(prompt)))
    .map((prompt) =>
      soft(`command_lifecycle of ${prompt} is ${states(actual, prompt)}, not ${states(expected, prompt)}`),
    );
}

const soft = (text: string): Difference => ({ severity: "soft", text, lines: {} });

/** The fields that distinguish an item from others of its kind. */
const TELLING = [
  "text",
  "content",
  "subtype",
  "is_error",
  "result",
  "id",
  "input",
  "status",
  "permissionMode",
];

function gist({ hard, soft: loose }: Item): string {
  const fields = Object.entries({ ...loose, ...hard });
  return show(Object.fromEntries(fields.filter(([name]) => TELLING.includes(name))));
}

const MAX_SHOWN = 160;

/** A value, shortened to fit one line of a report. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "absent";
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
