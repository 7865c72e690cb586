import { giveUp, peek, type Reader, take, takeMatch } from "./reader.ts";

const PLAIN = /[^'\\]+/y;
// No `\'`: a shell without this quoting ends the string there and runs the rest.
const ESCAPE = /\\(?:([nt"?\\])|x([0-9a-fA-F]{1,2})|([0-7]{1,3})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8}))/y;
const NAMED = new Map([
  ["n", "\n"],
  ["t", "\t"],
]);

/** Reads `$'...'` from after its opening quote and returns its value. */
export function readAnsiC(reader: Reader): string {
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
  // What this can hide in a name is letters; shells disagree about the rest.
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : undefined;
}
