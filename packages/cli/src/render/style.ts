/** Functions that style text for a terminal. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

const sgr = (on: number, off: number) => (text: string) =>
  text === "" ? "" : `\x1b[${on}m${text}\x1b[${off}m`;
const same = (text: string) => text;

const PLAIN: Style = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };
const COLORED: Style = {
  bold: sgr(1, 22),
  dim: sgr(2, 22),
  red: sgr(31, 39),
  green: sgr(32, 39),
  yellow: sgr(33, 39),
  cyan: sgr(36, 39),
};

/** Uses color on a terminal unless the user has disabled it (NO_COLOR, TERM=dumb). */
export function styleFor(
  { isTTY }: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Style {
  return isTTY && !env.NO_COLOR && env.TERM !== "dumb" ? COLORED : PLAIN;
}
