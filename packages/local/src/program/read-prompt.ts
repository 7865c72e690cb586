import { once } from "node:events";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";

/** A prompt as a program was given it, on its command line and on stdin. */
export interface GivenPrompt {
  readonly text: string;
  /** Whether a part of it came on stdin, which then can't be asked anything. */
  readonly isPiped: boolean;
  /** Whether stdin was left open without anything on it, and was ignored. */
  readonly isSilent: boolean;
}

/** How long words on the command line wait for more on stdin, which the parent process may have left open by mistake. */
const STDIN_PATIENCE_MS = 3000;

/** Joins the words of a command line with what is piped in, as `git diff | claude -p "review this"` does. */
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
