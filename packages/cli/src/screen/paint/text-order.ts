import type { Bidi } from "bidi-js";
import { widthOf } from "../../terminal/width.ts";

/** A piece of a line with its look. */
interface Piece {
  readonly text: string;
  readonly style: string;
}

/** Hebrew, Arabic and the other scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

let isOurs = false;
let algorithm: Bidi | undefined;
let loading: Promise<void> | undefined;
let isWanted = false;

/** Says who puts text into the order in which it is seen: we, or the terminal. */
export function orderText(by: "screen" | "terminal"): void {
  isOurs = by === "screen";
}

/**
 * Who orders text at a terminal: those that are known to do it are left to it, since they also join Arabic letters and copy text as it was
 * written. `AGENTWIRE_BIDI` is for those that say nothing of themselves, as behind ssh.
 */
export function ordererFor(env: NodeJS.ProcessEnv): "screen" | "terminal" {
  const { AGENTWIRE_BIDI: wish, VTE_VERSION, KONSOLE_VERSION, TERM = "", TERM_PROGRAM = "" } = env;
  if (wish === "screen" || wish === "terminal") return wish;
  const isKnown =
    Number(VTE_VERSION) >= 5703 ||
    KONSOLE_VERSION !== undefined ||
    TERM.startsWith("mlterm") ||
    TERM_PROGRAM === "Apple_Terminal" ||
    TERM_PROGRAM === "mintty";
  return isKnown ? "terminal" : "screen";
}

/** Whether a text can't be painted before `loadTextOrder` is done. */
export const needsTextOrder = (text: string): boolean =>
  isOurs && algorithm === undefined && RIGHT_TO_LEFT.test(text);

/** Whether text was painted in an order in which it can't be read. */
export const wantsTextOrder = (): boolean => isWanted && algorithm === undefined;

/** Whether text is put into order here: from now on the terminal must not do it as well. */
export const isOrderingText = (): boolean => isOurs && algorithm !== undefined;

/** Loads what is needed to order text, once. */
export function loadTextOrder(): Promise<void> {
  loading ??= load();
  return loading;
}

async function load(): Promise<void> {
  const { default: createAlgorithm } = await import("bidi-js");
  // Its types describe another kind of module than it is.
  algorithm = (createAlgorithm as unknown as () => Bidi)();
}

/** The rows into which a line was broken, each in the order in which it is seen. */
export function visualRows<P extends Piece>(
  line: readonly P[],
  rows: readonly (readonly P[])[],
): (readonly P[])[] {
  const text = textOf(line);
  const levels = levelsOf(text);
  if (!levels) return [...rows];
  let at = 0;
  return rows.map((row) => {
    const own = textOf(row).trimEnd();
    // Spaces where a line is broken are not seen.
    at = Math.max(at, text.indexOf(own, at));
    const clusters = clustersOf(row, levels, at).filter(({ from }) => from < at + own.length);
    const ordered = inOrder(clusters);
    at += own.length;
    return joined(ordered);
  });
}

/** Pieces again, as long as possible. */
function joined<P extends Piece>(clusters: readonly Cluster<P>[]): readonly P[] {
  const pieces: P[] = [];
  for (const { piece, text } of clusters) {
    const last = pieces.at(-1);
    if (last?.style === piece.style) pieces[pieces.length - 1] = { ...last, text: last.text + text };
    else pieces.push({ ...piece, text });
  }
  return pieces;
}

/** A row of a text that is being written, as it is seen, and the column of the character that a cursor is at. */
export function visualEdit(
  text: string,
  cursorAt: number,
): { readonly text: string; readonly column: number } {
  const levels = levelsOf(text);
  if (!levels) return { text, column: widthOf(text.slice(0, cursorAt)) };
  const ordered = inOrder(clustersOf([{ text, style: "" }], levels, 0));
  const isBefore = ({ from, text: one }: { readonly from: number; readonly text: string }) =>
    from <= cursorAt && cursorAt < from + one.length;
  // Where a text continues to the left, its end is at its left.
  const end = levels.base % 2 === 1 ? 0 : ordered.length;
  const at = cursorAt >= text.length ? end : ordered.findIndex(isBefore);
  const before = ordered.slice(0, at);
  return {
    text: ordered.map((one) => one.text).join(""),
    column: widthOf(before.map((one) => one.text).join("")),
  };
}

interface Levels {
  readonly of: Uint8Array;
  readonly base: number;
}

/** The levels of the Unicode Bidirectional Algorithm; undefined for a text that is seen as it is written. */
function levelsOf(text: string): Levels | undefined {
  if (!isOurs || !RIGHT_TO_LEFT.test(text)) return undefined;
  isWanted = true;
  if (!algorithm) return undefined;
  const { levels, paragraphs } = algorithm.getEmbeddingLevels(text);
  return { of: levels, base: paragraphs[0]?.level ?? 0 };
}

/** What is seen as one character. */
interface Cluster<P> {
  readonly piece: P;
  readonly text: string;
  readonly from: number;
  readonly level: number;
}

const graphemes = new Intl.Segmenter();

function clustersOf<P extends Piece>(row: readonly P[], { of, base }: Levels, start: number): Cluster<P>[] {
  const clusters: Cluster<P>[] = [];
  let at = start;
  for (const piece of row)
    for (const { segment } of graphemes.segment(piece.text)) {
      const level = of[at] ?? base;
      const text = level % 2 === 1 ? (algorithm?.getMirroredCharacter(segment) ?? segment) : segment;
      clusters.push({ piece, text, from: at, level });
      at += segment.length;
    }
  return clusters;
}

/** From the highest level to the lowest odd one, what is at least at that level is turned around. */
function inOrder<P>(clusters: readonly Cluster<P>[]): readonly Cluster<P>[] {
  const ordered = [...clusters];
  const highest = Math.max(0, ...clusters.map(({ level }) => level));
  for (let level = highest; level > 0; level--)
    for (let from = 0; from < ordered.length; from++) {
      let to = from;
      while (to < ordered.length && (ordered[to]?.level ?? 0) >= level) to++;
      if (to === from) continue;
      ordered.splice(from, to - from, ...ordered.slice(from, to).reverse());
      from = to;
    }
  return ordered;
}

const textOf = (row: readonly Piece[]) => row.map(({ text }) => text).join("");
