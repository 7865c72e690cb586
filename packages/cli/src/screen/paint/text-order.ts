import type { Bidi } from "bidi-js";
import { widthOf } from "../../terminal/width.ts";

/** A piece of a line with its style. */
interface Piece {
  readonly text: string;
  readonly style: string;
}

/** Hebrew, Arabic and other right-to-left scripts. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

let isOurs = false;
let algorithm: Bidi | undefined;
let loading: Promise<void> | undefined;
let isWanted = false;

/** Sets who puts text into visual order: the screen or the terminal. */
export function orderText(by: "screen" | "terminal"): void {
  isOurs = by === "screen";
}

/**
 * Who orders text: terminals known to do so are left to it, since they also join Arabic letters and copy text in logical order.
 * `AGENTWIRE_BIDI` is for terminals that can't be recognized, as over ssh.
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

/** Whether painting a text requires `loadTextOrder` first. */
export const needsTextOrder = (text: string): boolean =>
  isOurs && algorithm === undefined && RIGHT_TO_LEFT.test(text);

/** Whether text was painted in the wrong order because the algorithm was not loaded. */
export const wantsTextOrder = (): boolean => isWanted && algorithm === undefined;

/** Whether text is ordered here, so that the terminal must not do it as well. */
export const isOrderingText = (): boolean => isOurs && algorithm !== undefined;

/** Loads the bidirectional algorithm, once. */
export function loadTextOrder(): Promise<void> {
  loading ??= load();
  return loading;
}

async function load(): Promise<void> {
  const { default: createAlgorithm } = await import("bidi-js");
  // Its types describe the wrong module format.
  algorithm = (createAlgorithm as unknown as () => Bidi)();
}

/** The rows of a broken line, each in visual order. */
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
    // Spaces at a line break were dropped.
    at = Math.max(at, text.indexOf(own, at));
    const clusters = clustersOf(row, levels, at).filter(({ from }) => from < at + own.length);
    const ordered = inOrder(clusters);
    at += own.length;
    return joined(ordered);
  });
}

/** Merges adjacent clusters of the same style into pieces. */
function joined<P extends Piece>(clusters: readonly Cluster<P>[]): readonly P[] {
  const pieces: P[] = [];
  for (const { piece, text } of clusters) {
    const last = pieces.at(-1);
    if (last?.style === piece.style) pieces[pieces.length - 1] = { ...last, text: last.text + text };
    else pieces.push({ ...piece, text });
  }
  return pieces;
}

/** A row of a text being edited in visual order, and the column of the cursor. */
export function visualEdit(
  text: string,
  cursorAt: number,
): { readonly text: string; readonly column: number } {
  const levels = levelsOf(text);
  if (!levels) return { text, column: widthOf(text.slice(0, cursorAt)) };
  const ordered = inOrder(clustersOf([{ text, style: "" }], levels, 0));
  const isBefore = ({ from, text: one }: { readonly from: number; readonly text: string }) =>
    from <= cursorAt && cursorAt < from + one.length;
  // Right-to-left text ends on its left side.
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

/** The levels of the Unicode Bidirectional Algorithm; undefined for text without right-to-left characters. */
function levelsOf(text: string): Levels | undefined {
  if (!isOurs || !RIGHT_TO_LEFT.test(text)) return undefined;
  isWanted = true;
  if (!algorithm) return undefined;
  const { levels, paragraphs } = algorithm.getEmbeddingLevels(text);
  return { of: levels, base: paragraphs[0]?.level ?? 0 };
}

/** A grapheme cluster. */
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

/** From the highest level to the lowest odd one, reverses the runs at that level or above. */
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
