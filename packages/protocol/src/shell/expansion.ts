import { MARK } from "./marks.ts";
import { atEnd, giveUp, nested, peek, type Reader, readApart, take, takeMatch } from "./reader.ts";

const VARIABLE = /\$(?:[A-Za-z_][A-Za-z0-9_]*|[0-9?$#@*!-])/y;
const PARAMETER = /\$\{(?:#?[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-])\}/y;
const PARAMETER_WITH_WORD = /\$\{(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]+)(?::?[-+]|##?|%%?|\/\/?)/y;
// Quotes, braces and redirections inside mean different things to different shells.
const PARAMETER_WORD = /[A-Za-z0-9_.,:@%+=*?^ /-]+/y;
// A name in an arithmetic expression is evaluated again, and its value may run a command.
const ARITHMETIC = /\$\(\(([0-9 \t+*/%<>=!&|^~?:,()-]*)\)\)/y;
const LONE_DOLLAR = /\$(?=[\s"|)/.,:;&%\]}]|$)/y;

/** Reads an expansion that begins with `$`; the parts it runs are added to the reader. */
export function readDollar(reader: Reader, quoted: boolean): string {
  const start = reader.at;
  if (!quoted && peek(reader, 1) === '"') {
    reader.at += 1;
    return "";
  }
  if (takeMatch(reader, VARIABLE) || takeMatch(reader, PARAMETER)) return expansion(reader, start);
  if (takeMatch(reader, LONE_DOLLAR)) return "$";
  if (!quoted && take(reader, "$'")) return readAnsiC(reader);
  if (peek(reader, 1) === "(") {
    if (peek(reader, 2) === "(") readArithmetic(reader);
    else readSubstitution(reader, "$(");
    return expansion(reader, start);
  }
  if (takeMatch(reader, PARAMETER_WITH_WORD)) {
    nested(reader, undefined, () => readParameterWord(reader));
    return expansion(reader, start);
  }
  giveUp(reader, "it has an expansion that may run or change something");
  return "";
}

/** Reads `$(...)`, `<(...)` or `>(...)`; the parts inside are added to the reader. */
export function readSubstitution(reader: Reader, opening: "$(" | "<(" | ">("): void {
  // Shells disagree about which newline starts the body of a pending heredoc.
  if (reader.heredocs.length > 0) giveUp(reader, "a substitution follows a heredoc on its line");
  const outer = reader.inSubstitution;
  reader.inSubstitution = true;
  take(reader, opening);
  reader.readList(reader, [")"]);
  reader.inSubstitution = outer;
}

/** Reads a substitution in backticks. */
export function readBackticks(reader: Reader, quoted: boolean): string {
  const start = reader.at;
  const end = reader.text.indexOf("`", start + 1);
  const script = reader.text.slice(start + 1, end);
  if (end < 0) giveUp(reader, "a backtick is not closed");
  else if (script.includes("\\") || (quoted && script.includes('"')))
    giveUp(reader, "there are quotes within backticks");
  else if (reader.heredocs.length > 0) giveUp(reader, "a substitution follows a heredoc on its line");
  else {
    reader.at = end + 1;
    const change = { inBackticks: true, inSubstitution: true };
    readApart(reader, script, change, (inner) => inner.readList(inner, []));
  }
  return expansion(reader, start);
}

/** The source since `start` as the text of an expansion. */
export function expansion({ text, at }: Reader, start: number): string {
  return MARK.open + text.slice(start, at) + MARK.close;
}

function readArithmetic(reader: Reader): void {
  const match = takeMatch(reader, ARITHMETIC);
  if (!match || !isBalanced(match[1] ?? ""))
    giveUp(reader, "it has an arithmetic expansion with names in it");
}

function readParameterWord(reader: Reader): void {
  while (!atEnd(reader) && peek(reader) !== "}") {
    if (peek(reader) === "$") readDollar(reader, true);
    else if (peek(reader) === "`") readBackticks(reader, true);
    else if (!takeMatch(reader, PARAMETER_WORD)) giveUp(reader, "it has an unusual parameter expansion");
  }
  if (!take(reader, "}")) giveUp(reader, "a brace is not closed");
}

function isBalanced(text: string): boolean {
  let open = 0;
  for (const char of text) {
    if (char === "(") open += 1;
    else if (char === ")") open -= 1;
    if (open < 0) return false;
  }
  return open === 0;
}

const PLAIN = /[^'\\]+/y;
// No `\'`: a shell without this quoting ends the string there and runs the rest.
const ESCAPE = /\\(?:([nt"?\\])|x([0-9a-fA-F]{1,2})|([0-7]{1,3})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8}))/y;
const NAMED = new Map([
  ["n", "\n"],
  ["t", "\t"],
]);

/** Reads `$'...'` after its opening quote and returns its value. */
function readAnsiC(reader: Reader): string {
  let value = "";
  while (!take(reader, "'")) {
    const plain = takeMatch(reader, PLAIN);
    if (plain) {
      value += plain[0];
      continue;
    }
    const decoded = peek(reader) === "\\" ? readEscape(reader) : undefined;
    if (decoded === undefined) {
      giveUp(reader, "a $'...' string is not closed or has an unusual escape");
      return value;
    }
    value += decoded;
  }
  return value;
}

function readEscape(reader: Reader): string | undefined {
  const match = takeMatch(reader, ESCAPE);
  if (!match) return undefined;
  const [, named, hex, octal, short, long] = match;
  if (named !== undefined) return NAMED.get(named) ?? named;
  const code =
    octal === undefined ? Number.parseInt(hex ?? short ?? long ?? "", 16) : Number.parseInt(octal, 8);
  // In a name, this can only hide letters; shells disagree about the rest.
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : undefined;
}
