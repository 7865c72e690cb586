/**
 * Private-use characters that distinguish, in the text of a command, what quoting makes look alike. A command
 * that itself contains one of them is never parsed, so no quoting can forge them.
 */
export const MARK = {
  /** Separates two words; a space inside a word stays a space. */
  gap: "\uE000",
  /** Precedes an unquoted character that the shell may expand, such as `?` or `~`. */
  active: "\uE001",
  /** Begins the source of an expansion whose value only the shell knows. */
  open: "\uE002",
  /** Ends the source of an expansion. */
  close: "\uE003",
  /** The wildcard of a rule. */
  wild: "\uE004",
} as const;

const MARKS = /[\uE001-\uE003]/g;
const EXPANSIONS = /\uE002[^\uE003]*\uE003|\uE001/g;

/** The value of a word; undefined if only the shell can compute it. */
export function literalValue(text: string): string | undefined {
  return text.includes(MARK.active) || text.includes(MARK.close) ? undefined : text;
}

/** Whether a word has an expansion that may produce any text, or none. */
export function hasExpansion(text: string): boolean {
  return text.includes(MARK.close);
}

/** A text with its expansions replaced by their source. */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, "");
}

/** A text as if its expansions were empty. */
export function withoutExpansions(text: string): string {
  return text.replace(EXPANSIONS, "");
}
