import { readBackticks, readDollar } from "./expansion.ts";
import { atEnd, giveUp, type PendingHeredoc, peek, type Reader, readApart, takeMatch } from "./reader.ts";

const DELIMITER = /(?:'(\w+)'|"(\w+)"|\\(\w+)|(\w+))(?=[\s;&|<>)]|$)/y;
const PLAIN = /[^\\$`]+/y;
const QUOTE_OR_BRACKET = /['"`\\()]/;
const NEUTRAL_SPAN = /[^'"`\\()]+|\\.|'[^']*'|"[^"\\]*(?:\\.[^"\\]*)*"|`[^`]*`/sy;

/** Notes a heredoc after its operator; its body is added to `input` once the line has ended. */
export function announceHeredoc(reader: Reader, stripTabs: boolean, input: string[]): void {
  const match = takeMatch(reader, DELIMITER);
  if (!match) giveUp(reader, "a heredoc has an unusual delimiter");
  if (reader.inBackticks) giveUp(reader, "there is a heredoc within backticks");
  const [, single, double, escaped, bare] = match ?? [];
  const delimiter = single ?? double ?? escaped ?? bare ?? "";
  reader.heredocs.push({ delimiter, quoted: bare === undefined, stripTabs, input });
}

/** Reads the bodies of all pending heredocs, from the start of a line. */
export function readHeredocs(reader: Reader): void {
  for (const heredoc of reader.heredocs.splice(0)) {
    const body = readBody(reader, heredoc);
    if (body === undefined) return;
    if (reader.inSubstitution && !endsUnquoted(body))
      giveUp(reader, "a heredoc in a substitution has unbalanced quotes");
    heredoc.input.push(body);
    if (!heredoc.quoted) readApart(reader, body, {}, readExpansions);
  }
}

function readBody(reader: Reader, heredoc: PendingHeredoc): string | undefined {
  const start = reader.at;
  while (!atEnd(reader)) {
    const lineStart = reader.at;
    const newline = reader.text.indexOf("\n", lineStart);
    const end = newline < 0 ? reader.text.length : newline;
    const line = reader.text.slice(lineStart, end);
    reader.at = end + 1;
    if ((heredoc.stripTabs ? line.replace(/^\t+/, "") : line) === heredoc.delimiter) {
      return reader.text.slice(start, lineStart);
    }
    // Some shells end a body at the delimiter followed by a bracket.
    if (line.trimStart().startsWith(heredoc.delimiter))
      giveUp(reader, "a heredoc line begins with its delimiter");
    if (!heredoc.quoted && line.endsWith("\\")) giveUp(reader, "a heredoc line is continued");
  }
  giveUp(reader, "a heredoc is not closed");
  return undefined;
}

function readExpansions(body: Reader): void {
  while (!atEnd(body)) {
    if (takeMatch(body, PLAIN)) continue;
    if (peek(body) === "\\") body.at += 2;
    else if (peek(body) === "$") readDollar(body, true);
    else readBackticks(body, true);
  }
}

// Bash before 4 searches heredocs too for the end of a substitution, so quotes, brackets and comments in them count.
function endsUnquoted(body: string): boolean {
  if (body.split("\n").some(hidesBracket)) return false;
  let open = 0;
  let at = 0;
  while (at < body.length) {
    NEUTRAL_SPAN.lastIndex = at;
    const span = NEUTRAL_SPAN.exec(body)?.[0];
    if (span !== undefined) at += span.length;
    else if (body.charAt(at) === "(") {
      open += 1;
      at += 1;
    } else if (body.charAt(at) === ")" && open > 0) {
      open -= 1;
      at += 1;
    } else return false;
  }
  return open === 0;
}

function hidesBracket(line: string): boolean {
  const comment = line.search(/(?:^|\s)#/);
  return comment >= 0 && QUOTE_OR_BRACKET.test(line.slice(comment));
}
