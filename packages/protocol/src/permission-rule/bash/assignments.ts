import type { ShellWord } from "../shell/part.ts";
import { nameSet } from "./name-set.ts";

// Names that change how a program talks, not what it runs, loads or connects to.
const HARMLESS_NAMES = nameSet(
  "CI NODE_ENV RUST_BACKTRACE RUST_LOG PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE FORCE_COLOR NO_COLOR CLICOLOR",
  "CLICOLOR_FORCE COLUMNS LINES LANG LC_ALL LC_CTYPE TZ",
);
const HARMLESS_VALUE = /^[A-Za-z0-9_.,:=@+-]*$/;

/** Whether a command does the same with a leading assignment as without it. */
export function isHarmlessAssignment({ text }: ShellWord): boolean {
  const equals = text.indexOf("=");
  return HARMLESS_NAMES.has(text.slice(0, equals)) && HARMLESS_VALUE.test(text.slice(equals + 1));
}
