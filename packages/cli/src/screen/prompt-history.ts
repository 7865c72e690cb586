import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";

const FILE = "prompts.jsonl";
const MOST = 1000;

/** The prompts that were sent from screens of this user, in a file that only they can read. */
export class PromptHistory {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = join(folder, FILE);
  }

  /** The latest, the newest last; none where there is no file, or it can't be read. */
  async read(): Promise<readonly string[]> {
    const text = await readFile(this.#file, "utf8").catch(() => "");
    return text.split("\n").flatMap(promptIn).slice(-MOST);
  }

  /** Without room or rights for it, the prompt is just not offered again. */
  async add(text: string): Promise<void> {
    await appendFile(this.#file, `${JSON.stringify({ text })}\n`, { mode: 0o600 }).catch(() => {});
  }
}

function promptIn(line: string): readonly string[] {
  try {
    const { text } = JSON.parse(line) as { text?: unknown };
    return typeof text === "string" ? [text] : [];
  } catch {
    // The last line of a process that was killed.
    return [];
  }
}
