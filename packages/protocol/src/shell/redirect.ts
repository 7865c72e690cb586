import { announceHeredoc } from "./heredoc.ts";
import { literalValue } from "./marks.ts";
import type { Redirect, ShellWord } from "./part.ts";
import { giveUp, type Reader, takeMatch } from "./reader.ts";
import { readWord, skipBlanks } from "./word.ts";

// A bracket after `<` or `>` makes it a process substitution, which is a word.
const OPERATOR = /(?:&>>?|\d*(?:<<<|<<-|<<|<>|<&|<(?!\()|>>|>\||>&|>(?!\()))/y;
const DESCRIPTOR = /^(?:\d+|-)$/;

/** The combined redirections of one command. */
interface Redirections {
  readonly redirects: Redirect[];
  readonly input: string[];
  /** Whether one was `&>`, which older shells read as `&` and `>`, so that a command follows. */
  ambiguous: boolean;
}

/** Reads one redirection into `found`; false if there is none here. */
export function readRedirection(reader: Reader, found: Redirections): boolean {
  const match = takeMatch(reader, OPERATOR);
  if (!match) return false;
  const operator = match[0].replace(/^\d+/, "");
  skipBlanks(reader);
  if (operator === "<<" || operator === "<<-") {
    announceHeredoc(reader, operator === "<<-", found.input);
    return true;
  }
  const target = readWord(reader);
  if (target) note(reader, operator, target, found);
  else giveUp(reader, "a redirection has no target");
  return true;
}

function note(reader: Reader, operator: string, target: ShellWord, found: Redirections): void {
  const value = literalValue(target.text);
  if (operator.startsWith("&")) found.ambiguous = true;
  if (value === "/dev/null" && operator !== "<<<") return;
  if (operator.endsWith("&") && DESCRIPTOR.test(value ?? "")) return;
  if (operator === "<<<") found.input.push(target.text);
  else if (operator === "<&") giveUp(reader, "an input is duplicated from an unusual descriptor");
  else found.redirects.push({ access: operator === "<" ? "read" : "write", target });
}
