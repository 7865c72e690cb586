import { BadLine, isJsonObject, type JsonObject, type Line } from "@agentwire/protocol";
import { MAX_DEPTH, nestsDeeperThan } from "@agentwire/protocol/support";
import type { Transcript, TranscriptLine } from "../transcript.ts";

const SEPARATORS = /[\u2028\u2029]/;
const HEAD = 200;

/** Records what passes between host and agent, with timestamps. */
export class Recorder {
  readonly #lines: TranscriptLine[] = [];
  readonly #startedAt = performance.now();

  /** All lines so far. */
  get lines(): Transcript {
    return this.#lines;
  }

  /** Milliseconds since the recording began. */
  now(): number {
    return Math.round((performance.now() - this.#startedAt) * 10) / 10;
  }

  /** Records a line of the host. */
  sent(text: string, process: number): void {
    this.#lines.push({ ...this.#stamp("in", process), ...parse(text) });
  }

  /** Records that the host closed stdin. */
  closed(process: number): void {
    this.#lines.push({ ...this.#stamp("in", process), eof: true, line: null });
  }

  /** Records a line of the agent; returns it if it could be a message. */
  received(line: Line, process: number): JsonObject | undefined {
    const stamp = this.#stamp("out", process);
    if (line instanceof BadLine) {
      this.#lines.push({ ...stamp, raw: true, line: line.head });
      return undefined;
    }
    const parsed = parse(line);
    this.#lines.push({ ...stamp, ...(SEPARATORS.test(line) ? { unescaped: true } : {}), ...parsed });
    return parsed.raw === undefined && isJsonObject(parsed.line) ? parsed.line : undefined;
  }

  #stamp(dir: "in" | "out", process: number) {
    return { t: this.now(), dir, ...(process > 1 ? { p: process } : {}) };
  }
}

/** A line that is nested too deeply to be processed counts as not JSON. */
function parse(text: string): Pick<TranscriptLine, "line" | "raw"> {
  try {
    const line: unknown = JSON.parse(text);
    return nestsDeeperThan(line, MAX_DEPTH) ? { raw: true, line: text.slice(0, HEAD) } : { line };
  } catch {
    return { raw: true, line: text };
  }
}
