import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";

const FILE = "prompts.jsonl";
const MAX = 1000;

/** The prompts sent from this user's screens, in a file that only the user can read. */
export class PromptHistory {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = join(folder, FILE);
  }

  /** The latest prompts, newest last; empty if the file is missing or can't be read. */
  async read(): Promise<readonly string[]> {
    const text = await readFile(this.#file, "utf8").catch(() => "");
    return text.split("\n").flatMap(promptIn).slice(-MAX);
  }

  /** Appends a prompt; if that fails, the prompt is just not offered again. */
  async add(text: string): Promise<void> {
    await appendFile(this.#file, `${JSON.stringify({ text })}\n`, { mode: 0o600 }).catch(() => {});
  }
}

function promptIn(line: string): readonly string[] {
  try {
    const { text } = JSON.parse(line) as { text?: unknown };
    return typeof text === "string" ? [text] : [];
  } catch {
    // The incomplete last line of a killed process.
    return [];
  }
}
