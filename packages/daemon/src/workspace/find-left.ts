import { spawn } from "node:child_process";
import { once } from "node:events";
import { basename } from "node:path";
import { createInterface } from "node:readline";
import { isJsonObject } from "@agentwire/protocol";
import { parseJsonObject } from "@agentwire/protocol/support";
import { type ExcerptPart, excerptOf } from "../search/excerpt.ts";
import { wordsOf } from "../store/search-index.ts";
import { ripgrep } from "./ripgrep.ts";

const LONGEST_MS = 10_000;
/** If a word occurs everywhere, the first occurrences are enough. */
const MOST_LINES = 200_000;
const MOST_WORDS = 10;
/** How much of a message is searched. */
const MOST_CHARS = 200_000;

const ARGS = [
  ...["--no-config", "--no-messages", "--no-ignore", "--hidden", "--max-depth=2", "--glob=*.jsonl"],
  ...["--ignore-case", "--fixed-strings", "--no-heading", "--with-filename", "--null", "--no-line-number"],
];

/** The latest message that contains all words, in each conversation below a folder, by conversation id. */
export async function findInLeft(
  root: string,
  query: string,
): Promise<ReadonlyMap<string, readonly ExcerptPart[]>> {
  const words = wordsOf(query).slice(0, MOST_WORDS);
  const longest = query
    .split(/[^\p{L}\p{N}]+/u)
    .reduce((one, other) => (other.length > one.length ? other : one), "");
  const found = new Map<string, readonly ExcerptPart[]>();
  if (longest === "") return found;
  // The program only reads; the content of a conversation is never run.
  const child = spawn(await ripgrep(), [...ARGS, `--regexp=${longest}`, root], {
    stdio: ["ignore", "pipe", "ignore"],
    timeout: LONGEST_MS,
    killSignal: "SIGKILL",
  });
  const failed = once(child, "error").then(() => undefined);
  let lines = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    lines++;
    if (lines > MOST_LINES) child.kill("SIGKILL");
    const [path = "", json = ""] = line.split("\0", 2);
    const text = textOf(json);
    const plain = new Set(wordsOf(text));
    if (words.every((word) => [...plain].some((one) => one.startsWith(word))))
      found.set(basename(path, ".jsonl"), excerptOf(text, words));
  }
  // Without the program nothing is found in messages.
  await Promise.race([failed, child.exitCode === null ? once(child, "close") : undefined]);
  return found;
}

/** The text in a line of a transcript; empty if it has none. */
function textOf(json: string): string {
  const message = messageIn(json);
  const { content } = message;
  if (typeof content === "string") return content.slice(0, MOST_CHARS);
  const blocks = (Array.isArray(content) ? content : []).filter(isJsonObject);
  return blocks.map(textOfBlock).filter(Boolean).join("\n").slice(0, MOST_CHARS);
}

function messageIn(json: string): Readonly<Record<string, unknown>> {
  const message = parseJsonObject(json)?.message;
  return isJsonObject(message) ? message : {};
}

function textOfBlock({ type, text, input, content }: Readonly<Record<string, unknown>>): string {
  if (type === "text" && typeof text === "string") return text;
  if (type === "tool_use") return JSON.stringify(input ?? {});
  if (type !== "tool_result") return "";
  if (typeof content === "string") return content;
  return (Array.isArray(content) ? content : [])
    .filter(isJsonObject)
    .map((part) => (typeof part.text === "string" ? part.text : ""))
    .join("\n");
}
