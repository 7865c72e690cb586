import { closeSync, fchmodSync, fstatSync, openSync, writeFileSync } from "node:fs";
import { BadLine, type Line } from "@agentwire/protocol";
import { HostError } from "../errors.ts";

/** The maximum size of a transcript; anything beyond is left out, and a last entry says so. */
const MAX_BYTES = 1_073_741_824;
/** Buffered entries longer than this are written at once, not when the current task of the event loop has finished. */
const FLUSH_LENGTH = 65_536;

const OWNER_ONLY = 0o600;

/**
 * Writes every line between host and agent to a file, one `{t, dir, line}` each, with `dir` as the agent sees it. The lines
 * may contain secrets, so only the owner may read the file.
 */
export class Recorder {
  readonly #file: number;
  readonly #onFailure: (error: HostError) => void;
  readonly #start = performance.now();
  #gathered = "";
  #scheduled = false;
  #bytes = 0;
  #over = false;

  /** Throws if the file can't be opened; `onFailure` is called if a later write fails. */
  constructor(path: string, onFailure: (error: HostError) => void) {
    try {
      this.#file = openSync(path, "w", OWNER_ONLY);
      // An existing file keeps its mode; the mode of a device or a pipe must not be changed.
      if (fstatSync(this.#file).isFile()) fchmodSync(this.#file, OWNER_ONLY);
    } catch (cause) {
      throw notWritten(cause);
    }
    this.#onFailure = onFailure;
  }

  /** Records a line; `in` is the agent's input. */
  line(dir: "in" | "out", line: Line): void {
    if (line instanceof BadLine) this.#add(dir, '"raw":true,', JSON.stringify(line.head));
    else if (dir === "out" && !isJson(line)) this.#add(dir, '"raw":true,', JSON.stringify(line));
    else this.#add(dir, /[\u2028\u2029]/.test(line) ? '"unescaped":true,' : "", line);
  }

  /** Records that the host ended the agent's input. */
  endOfInput(): void {
    this.#add("in", '"eof":true,', "null");
  }

  /** Writes what is still buffered. */
  close(): void {
    this.#flush();
    if (!this.#over) closeSync(this.#file);
    this.#over = true;
  }

  #add(dir: "in" | "out", marks: string, json: string): void {
    if (this.#over) return;
    const t = Math.round((performance.now() - this.#start) * 10) / 10;
    this.#gathered += `{"t":${t},"dir":"${dir}",${marks}"line":${json}}\n`;
    if (this.#gathered.length >= FLUSH_LENGTH) this.#flush();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => this.#flush());
    }
  }

  // Synchronous: lines from before a crash are in the file, and a slow disk slows the agent down instead of filling memory.
  #flush(): void {
    this.#scheduled = false;
    const text = this.#gathered;
    this.#gathered = "";
    if (this.#over || text === "") return;
    try {
      this.#bytes += Buffer.byteLength(text);
      if (this.#bytes <= MAX_BYTES) {
        writeFileSync(this.#file, text);
        return;
      }
      writeFileSync(this.#file, `{"t":0,"dir":"out","truncated":true,"line":null}\n`);
      this.#stop();
    } catch (cause) {
      this.#stop();
      this.#onFailure(notWritten(cause));
    }
  }

  #stop(): void {
    this.#over = true;
    closeSync(this.#file);
  }
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

function notWritten(cause: unknown): HostError {
  return new HostError("record_failed", `The transcript can't be written: ${(cause as Error).message}`, {
    cause,
  });
}
