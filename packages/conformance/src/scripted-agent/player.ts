import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { fits } from "@agentwire/models/script";
import { encodeLine, type JsonObject, type Line, Malformed, parseLine, readLines } from "@agentwire/protocol";
import { at, mapTexts, textAt } from "../json-path.ts";
import { EMPTY_GREETING, EMPTY_INITIALIZE } from "./empty-initialize.ts";
import type { Learn, Step } from "./step.ts";

/** How a scripted agent ended. */
export type Ending = { readonly exit: number } | { readonly kill: NodeJS.Signals };

/** The two streams between a scripted agent and its host. */
export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
  /** Called with every line; `in` is a line of the host, undefined the end of its input. */
  readonly onLine?: (dir: "in" | "out", text: Line | undefined) => void;
}

/** Plays an agent over two streams until the script or the host has ended, or the signal fires. */
export function playScript(
  steps: readonly Step[],
  streams: Streams,
  signal: AbortSignal = new AbortController().signal,
): Promise<Ending> {
  return new Player(steps, streams, signal).play();
}

const DONE: Ending = { exit: 0 };
const STAY_MS = 60_000;

class Player {
  readonly #steps: readonly Step[];
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #onLine: NonNullable<Streams["onLine"]>;
  readonly #signal: AbortSignal;
  /** Resolves when the signal fires. */
  readonly #stopped: Promise<unknown>;
  /** Lines of the host that no step has consumed yet. */
  readonly #heard: JsonObject[] = [];
  /** The recorded host's ids, by the real host's ids. */
  readonly #ids = new Map<string, string>();
  /** The values that the script learned from the host, by name. */
  readonly #learned = new Map<string, unknown>();
  #next = 0;
  #inputEnded = false;
  #isFrozen = false;
  #wake = () => {};

  constructor(steps: readonly Step[], { input, output, onLine = () => {} }: Streams, signal: AbortSignal) {
    this.#steps = steps;
    this.#input = input;
    this.#output = output;
    this.#onLine = onLine;
    this.#signal = signal;
    this.#stopped = signal.aborted ? Promise.resolve() : once(signal, "abort");
  }

  async play(): Promise<Ending> {
    const reading = this.#read();
    for (; this.#next < this.#steps.length; this.#next++) {
      const step = this.#steps[this.#next];
      if (this.#signal.aborted || !step) break;
      const ending = await this.#take(step);
      if (ending) return ending;
    }
    await Promise.race([reading, this.#stopped]);
    return DONE;
  }

  async #take(step: Step): Promise<Ending | undefined> {
    if ("hear" in step) return this.#hear(step);
    if ("say" in step) await this.#write(encodeLine(mapTexts(step.say, (text) => this.#current(text))));
    else if ("write" in step) await this.#write(step.write);
    else if ("pause" in step)
      await setTimeout(step.pause, undefined, { signal: this.#signal }).catch(() => {});
    else if ("freeze" in step) {
      this.#isFrozen = true;
      this.#input.pause();
      // Without a pending timer, the process would exit at the end of its input.
      const staying = setInterval(() => {}, STAY_MS);
      await this.#stopped;
      clearInterval(staying);
    } else return step;
    return undefined;
  }

  /** If the host ends before it sends the line that the script waits for, the script ends, too. */
  async #hear(step: Extract<Step, { hear: unknown }>): Promise<Ending | undefined> {
    for (;;) {
      if (step.hear === "end" && this.#inputEnded) return undefined;
      const place = this.#heard.findIndex((line) => step.hear !== "end" && fits(step.hear, line));
      const [line] = place < 0 ? [] : this.#heard.splice(place, 1);
      if (line) {
        if ("recorded" in step) this.#learnIds(step.recorded, line);
        if ("learn" in step) this.#learn(step.learn, line);
        return undefined;
      }
      if (this.#inputEnded || this.#signal.aborted) return DONE;
      await Promise.race([new Promise<void>((resolve) => (this.#wake = resolve)), this.#stopped]);
    }
  }

  #learn(learn: Learn = {}, line: JsonObject): void {
    for (const [name, path] of Object.entries(learn)) {
      const found = at(line, ...path);
      if (found !== undefined) this.#learned.set(name, found);
    }
  }

  /**
   * Fills in a text of the script for this host; a text that consists of a single placeholder becomes its value, of whatever
   * type.
   */
  #current(text: string): unknown {
    const known = this.#ids.get(text) ?? text;
    const [, only] = /^\{\{(\w+)\}\}$/.exec(known) ?? [];
    if (only !== undefined && this.#learned.has(only)) return this.#learned.get(only);
    return known.replace(/\{\{(\w+)\}\}/g, (whole, name: string) =>
      this.#learned.has(name) ? String(this.#learned.get(name)) : whole,
    );
  }

  #learnIds(recorded: JsonObject | undefined, line: JsonObject): void {
    for (const key of ["request_id", "uuid"]) {
      const old = textAt(recorded, key);
      const current = textAt(line, key);
      if (old !== undefined && current !== undefined) this.#ids.set(old, current);
    }
  }

  async #read(): Promise<void> {
    for await (const lines of readLines(this.#input)) {
      if (this.#isFrozen) await this.#stopped;
      for (const line of lines) await this.#keep(line);
      this.#wake();
    }
    this.#onLine("in", undefined);
    this.#inputEnded = true;
    this.#wake();
  }

  /** Refuses a request that the script never answers at once: a host that waits for it would hang. */
  async #keep(text: Line): Promise<void> {
    this.#onLine("in", text);
    const line = parseLine(text);
    if (line instanceof Malformed) return;
    const isExpected = this.#steps
      .slice(this.#next)
      .some((step) => "hear" in step && step.hear !== "end" && fits(step.hear, line));
    const isRequest =
      line.type === "control_request" || (typeof line.method === "string" && line.id !== undefined);
    if (isExpected || !isRequest) this.#heard.push(line);
    else await this.#write(encodeLine(unscripted(line)));
  }

  async #write(text: string): Promise<void> {
    this.#onLine("out", text);
    if (!this.#output.write(text)) await Promise.race([once(this.#output, "drain"), this.#stopped]);
  }
}

/** Every host starts with `initialize`, whether that was recorded or not; other requests need an answer in the script. */
function unscripted(line: JsonObject): JsonObject {
  if (line.method !== undefined) return unscriptedAcp(line);
  const request_id = textAt(line, "request_id") ?? "";
  const subtype = textAt(line, "request", "subtype") ?? "";
  const response =
    subtype === "initialize"
      ? { subtype: "success", request_id, response: EMPTY_INITIALIZE }
      : { subtype: "error", request_id, error: `the script has no answer to ${subtype}` };
  return { type: "control_response", response };
}

/** The same for a client of the Agent Client Protocol. */
function unscriptedAcp({ id, method }: JsonObject): JsonObject {
  if (method === "initialize") return { jsonrpc: "2.0", id, result: EMPTY_GREETING };
  return { jsonrpc: "2.0", id, error: { code: -32601, message: `the script has no answer to ${method}` } };
}
