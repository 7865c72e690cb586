import { once } from "node:events";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";

/** The prompt that a program was given on its command line and stdin. */
export interface GivenPrompt {
  readonly text: string;
  /** Whether part of it came from stdin, which then can't be used to ask the user anything. */
  readonly isPiped: boolean;
  /** Whether stdin was open but empty, and was ignored. */
  readonly isSilent: boolean;
}

/** How long to wait for stdin when there is a prompt on the command line: the parent process may have left stdin open by mistake. */
const STDIN_PATIENCE_MS = 3000;

/** Joins the words on the command line with piped input, as in `git diff | claude -p "review this"`. */
export async function readPrompt(
  words: readonly string[],
  stdin: Readable & { readonly isTTY?: boolean },
): Promise<GivenPrompt> {
  const said = words.join(" ");
  if (stdin.isTTY) return { text: said, isPiped: false, isSilent: false };
  if (said !== "" && !(await isFed(stdin))) return { text: said, isPiped: false, isSilent: true };
  const piped = await textOf(stdin);
  const isPiped = piped.trim() !== "";
  return { text: isPiped ? [said, piped].filter(Boolean).join("\n") : said, isPiped, isSilent: false };
}

async function isFed(stdin: Readable): Promise<boolean> {
  const late = new AbortController();
  const fed = once(stdin, "readable").then(() => true);
  const patience = delay(STDIN_PATIENCE_MS, false, { signal: late.signal }).catch(() => false);
  const isReadable = await Promise.race([fed, patience]);
  late.abort();
  return isReadable;
}

async function textOf(stdin: Readable): Promise<string> {
  let text = "";
  for await (const chunk of stdin.setEncoding("utf8")) text += chunk;
  return text;
}
