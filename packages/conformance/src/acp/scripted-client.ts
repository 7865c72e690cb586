import {
  BadLine,
  encodeLine,
  isJsonObject,
  type JsonObject,
  type Line,
  parseLine,
} from "@agentwire/protocol";
import { type AgentProcess, type SpawnPlan, startProcess } from "../agent-driver/agent-process.ts";
import { show } from "../compare/compare.ts";
import { at, listAt, textAt } from "../json-path.ts";
import type { TranscriptLine } from "../transcript.ts";
import { SchemaCheck } from "./schema-check.ts";

/** Something that an agent did wrong. */
export class Problem extends Error {
  override readonly name = "Problem";
}

/** How to answer a question of an agent: with an option of this kind, or not yet. */
type Answer = "allow_once" | "reject_once" | "wait";

/** How a turn ended, and the updates during it. */
interface Turn {
  readonly stopReason: unknown;
  readonly updates: readonly JsonObject[];
  /** The chunks of the agent's reply, joined. */
  readonly text: string;
}

interface Waiting {
  readonly is: () => boolean;
  readonly resolve: () => void;
}

/** A client of the Agent Client Protocol that follows a scenario, with a separate agent process. */
export class ScriptedClient {
  readonly transcript: TranscriptLine[] = [];
  readonly check = new SchemaCheck();
  readonly updates: { readonly sessionId: string; readonly update: JsonObject }[] = [];
  /** The agent's requests for permission. */
  readonly questions: JsonObject[] = [];
  answer: Answer = "allow_once";
  stderr = "";
  readonly #process: AgentProcess;
  readonly #signal: AbortSignal;
  readonly #startedAt = performance.now();
  readonly #answers = new Map<unknown, JsonObject>();
  #waiting: readonly Waiting[] = [];
  /** The questions that have not been answered. */
  readonly #open = new Set<unknown>();
  #lastId = 0;

  /** Starts an agent; a wait that is still open when the signal fires is a problem. */
  constructor(plan: SpawnPlan, signal: AbortSignal) {
    this.#signal = signal;
    this.#process = startProcess(plan, {
      line: (line) => this.#hear(line),
      stderr: (text) => {
        this.stderr = (this.stderr + text).slice(-4096);
      },
    });
    signal.addEventListener("abort", () => this.#wake());
    void this.#process.exited.then(() => this.#wake());
  }

  /** Sends the agent a request and returns the result. */
  async request(method: string, params: JsonObject = {}): Promise<JsonObject> {
    const answer = await this.#ask(method, params);
    if (!("error" in answer)) return isJsonObject(answer.result) ? answer.result : {};
    throw new Problem(`${method} fails: ${show(answer.error)}`);
  }

  /** Sends the agent a request that it must refuse, and returns the error. */
  async refused(method: string, params: JsonObject = {}): Promise<JsonObject> {
    const { error, result } = await this.#ask(method, params);
    if (isJsonObject(error)) return error;
    throw new Problem(`${method} should be refused, but returns ${show(result)}`);
  }

  /** Sends a notification. */
  notify(method: string, params: JsonObject): void {
    this.#write({ jsonrpc: "2.0", method, params });
  }

  /** Writes a text unchanged. */
  write(text: string): void {
    this.#process.write(text);
  }

  /** Answers open questions in the way of a client that cancels the turn. */
  cancelQuestions(): void {
    for (const id of this.#open) this.#decide(id, { outcome: "cancelled" });
  }

  /** Sends `initialize`, and logs in if a method is given. */
  async greet(authMethod?: string): Promise<JsonObject> {
    const greeting = await this.request("initialize", {
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: "agentwire-conformance", version: "0.1.0" },
    });
    if (authMethod !== undefined) await this.request("authenticate", { methodId: authMethod });
    return greeting;
  }

  /** Sends a prompt and waits for the end of the turn. */
  async prompt(sessionId: unknown, prompt: string | readonly JsonObject[]): Promise<Turn> {
    const from = this.updates.length;
    const blocks = typeof prompt === "string" ? [{ type: "text", text: prompt }] : prompt;
    const { stopReason } = await this.request("session/prompt", { sessionId, prompt: blocks });
    const updates = this.updates
      .slice(from)
      .filter((one) => one.sessionId === sessionId)
      .map(({ update }) => update);
    return { stopReason, updates, text: textOf(updates) };
  }

  /** Waits until a condition holds. */
  async until(what: string, is: () => boolean): Promise<void> {
    if (!is() && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#waiting = [...this.#waiting, { is, resolve }];
      });
    }
    if (is()) return;
    const { exit } = this.#process;
    throw new Problem(
      exit === undefined ? `timed out waiting for ${what}` : `the agent exits (${exit}) before ${what}`,
    );
  }

  /** Closes the agent's input; returns how the agent ended. */
  async close(): Promise<unknown> {
    this.#process.endInput();
    await this.until("the exit of the agent", () => this.#process.exit !== undefined);
    return this.#process.exit;
  }

  /** Kills the agent and everything that it started. */
  async kill(): Promise<void> {
    this.#process.killGroup();
    await this.#process.exited;
  }

  get #isOver(): boolean {
    return this.#signal.aborted || this.#process.exit !== undefined;
  }

  async #ask(method: string, params: JsonObject): Promise<JsonObject> {
    const id = ++this.#lastId;
    this.#write({ jsonrpc: "2.0", id, method, params });
    await this.until(`the answer to ${method}`, () => this.#answers.has(id));
    const answer = this.#answers.get(id) ?? {};
    this.#answers.delete(id);
    return answer;
  }

  #hear(text: Line): void {
    const line = parseLine(text);
    if (!isJsonObject(line)) {
      this.#note("out", { raw: true, line: text instanceof BadLine ? text.head : text });
      this.check.faults.push(`a line that is not JSON: ${show(text)}`);
      return;
    }
    this.#note("out", { line });
    this.check.line("agent", line);
    if (typeof line.method !== "string") this.#answers.set(line.id, line);
    else if (line.id !== undefined) this.#asked(line.method, line);
    else if (line.method === "session/update") {
      const update = at(line, "params", "update");
      const sessionId = textAt(line, "params", "sessionId") ?? "";
      if (isJsonObject(update)) this.updates.push({ sessionId, update });
    }
    this.#wake();
  }

  #asked(method: string, { id, params }: JsonObject): void {
    if (method !== "session/request_permission") {
      this.#write({ jsonrpc: "2.0", id, error: { code: -32601, message: `unknown method ${method}` } });
      return;
    }
    this.questions.push(isJsonObject(params) ? params : {});
    this.#open.add(id);
    if (this.answer === "wait") return;
    const option = listAt(params, "options").find((one) => at(one, "kind") === this.answer);
    if (option === undefined) this.cancelQuestions();
    else this.#decide(id, { outcome: "selected", optionId: at(option, "optionId") });
  }

  #decide(id: unknown, outcome: JsonObject): void {
    this.#open.delete(id);
    this.#write({ jsonrpc: "2.0", id, result: { outcome } });
  }

  #write(line: JsonObject): void {
    this.#note("in", { line });
    this.check.line("client", line);
    this.#process.write(encodeLine(line));
  }

  #note(dir: "in" | "out", entry: Pick<TranscriptLine, "line" | "raw">): void {
    this.transcript.push({ t: Math.round(performance.now() - this.#startedAt), dir, ...entry });
  }

  #wake(): void {
    const [done, rest] = [[] as Waiting[], [] as Waiting[]];
    for (const one of this.#waiting) (this.#isOver || one.is() ? done : rest).push(one);
    this.#waiting = rest;
    for (const { resolve } of done) resolve();
  }
}

/** The chunks of a reply in a list of updates, joined. */
export const textOf = (updates: readonly JsonObject[]): string =>
  updates
    .filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk")
    .map(({ content }) => textAt(content, "text") ?? "")
    .join("");
