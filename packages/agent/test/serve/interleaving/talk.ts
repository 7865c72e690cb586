import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ScriptStep } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import { type AgentProcess, startAgent } from "../../agent-process.ts";
import { ASKED, newApi } from "../../model-source.ts";
import { newPlace } from "../../place.ts";
import type { ScriptedApi } from "../../scripted-api.ts";
import { answer, answers, asks, holds, is, isResult, prompt, request } from "../../wire.ts";
import { type Moment, type Move, type Plan, type Reply, stepOf } from "./plan.ts";

/** A prompt that a host has sent. */
export interface Sent {
  readonly text: string;
  readonly uuid: string | undefined;
  readonly isCommand: boolean;
}

/** The record of a conversation: what the host did, and every line that the agent wrote. */
export interface TalkRecord {
  readonly sent: readonly Sent[];
  readonly lines: readonly JsonObject[];
  readonly interrupts: readonly string[];
  /** The questions that the host answered with the end of the turn. */
  readonly stops: ReadonlySet<unknown>;
  /** The questions that the host never answered. */
  readonly unanswered: readonly unknown[];
  /** The prompt that each request asked to withdraw. */
  readonly cancels: ReadonlyMap<string, string>;
  /** The conversation that the model received last, if a last question was asked. */
  readonly lastCall: JsonObject | undefined;
  readonly exitCode: number | null | undefined;
}

/** A running agent and its model, which play one conversation after the other. */
export class Partner {
  readonly #agent: AgentProcess;
  readonly #api: ScriptedApi;
  readonly #steps: ScriptStep[];
  talks = 0;

  static async start(): Promise<Partner> {
    const place = await newPlace();
    await writeFile(join(place.cwd, "note"), "remember the milk\n");
    const steps: ScriptStep[] = [];
    const api = await newApi({ steps, whenExhausted: { text: "Done." }, variables: { cwd: place.cwd } });
    const env = { ...api.env, CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: "1", CLAUDE_CODE_MAX_RETRIES: "0" };
    const args = [...ASKED, "--allowedTools", "Bash(sleep:*)"];
    return new Partner(startAgent(place, { args, env }), api, steps);
  }

  constructor(agent: AgentProcess, api: ScriptedApi, steps: ScriptStep[]) {
    this.#agent = agent;
    this.#api = api;
    this.#steps = steps;
  }

  /** Plays a conversation to its end. */
  async play(plan: Plan): Promise<TalkRecord> {
    const host = new Host(this.#agent, this.talks++, plan.replies);
    const [firstStep, firstCall] = [this.#steps.length, this.#api.requests.length];
    this.#steps.push(...plan.steps.map(stepOf));
    for (const move of plan.moves) await host.make(move);
    // The player keeps its position, so the next conversation must not see the remaining steps of this one.
    const taken = Math.min(this.#api.requests.length - firstCall, plan.steps.length);
    this.#steps.length = firstStep + taken;
    if (!plan.closes) {
      await host.finish(plan.steps.includes("stall"));
      return host.record(this.#api.requests.at(-1)?.body, undefined);
    }
    if (plan.steps.includes("stall")) await host.make({ do: "interrupt", cancelQueued: false });
    this.#agent.child.stdin.end();
    const { code } = await this.#agent.ended();
    return host.record(undefined, code);
  }

  kill(): void {
    this.#agent.child.kill("SIGKILL");
  }
}

const MOMENTS: { readonly [moment in Exclude<Moment, "tick">]: (line: JsonObject) => boolean } = {
  init: is("system", "init"),
  assistant: is("assistant"),
  question: asks("can_use_tool"),
  tool_result: holds("tool_result"),
  result: isResult,
};
const PATIENCE_MS = 40;

class Host {
  readonly #agent: AgentProcess;
  readonly #name: string;
  readonly #replies: Reply[];
  readonly #from: number;
  readonly #sent: Sent[] = [];
  readonly #interrupts: string[] = [];
  readonly #cancels = new Map<string, string>();
  readonly #stops = new Set<unknown>();
  readonly #putOff: unknown[] = [];
  readonly #unanswered: unknown[] = [];
  #requests = 0;

  constructor(agent: AgentProcess, talk: number, replies: readonly Reply[]) {
    this.#agent = agent;
    this.#name = `talk${talk}`;
    this.#replies = [...replies];
    this.#from = agent.lines.length;
    agent.onLine = (line) => {
      if (asks("can_use_tool")(line)) this.#reply(line.request_id, this.#replies.shift() ?? "allow");
    };
  }

  async make(move: Move): Promise<void> {
    switch (move.do) {
      case "prompt":
        return this.#say(`${this.#name}-${this.#sent.length};`, move.named, {
          ...(move.priority && { priority: move.priority }),
          ...(move.silent && { shouldQuery: false }),
        });
      case "command":
        return this.#say(move.text, move.named, {});
      case "repeat": {
        const earlier = this.#named(move.ago);
        if (earlier) this.#agent.send(prompt(earlier.text, { uuid: earlier.uuid }));
        return;
      }
      case "interrupt":
        return this.#interrupt(move.cancelQueued);
      case "cancel": {
        const uuid = this.#named(move.ago)?.uuid;
        if (uuid === undefined) return;
        const id = this.#newId();
        this.#cancels.set(id, uuid);
        return this.#agent.send(request(id, "cancel_async_message", { message_uuid: uuid }));
      }
      case "catch up":
        for (const id of this.#putOff.splice(0)) this.#reply(id, "allow");
        return;
      case "wait":
        return this.#wait(move.until);
    }
  }

  /** Brings everything to its end: answers or interrupts whatever waits for the host, and asks a last question. */
  async finish(isStalled: boolean): Promise<void> {
    const mustInterrupt = isStalled || this.#replies.includes("never") || this.#unanswered.length > 0;
    this.#replies.length = 0;
    if (mustInterrupt) {
      this.#interrupt(false);
      await this.#agent.line(answers(this.#interrupts.at(-1) ?? ""), this.#from);
    }
    await this.make({ do: "catch up" });
    this.#say(`${this.#name}-last;`, true, { priority: "later" });
    const uuid = this.#sent.at(-1)?.uuid;
    const isOver = (line: JsonObject) =>
      is("command_lifecycle")(line) && line.command_uuid === uuid && line.state === "completed";
    await this.#agent.line(isOver, this.#from);
    const ended = this.#agent.lines.findLastIndex(isOver);
    await this.#agent.line(
      (line) => line.subtype === "session_state_changed" && line.state === "idle",
      ended,
    );
  }

  record(lastCall: JsonObject | undefined, exitCode: number | null | undefined): TalkRecord {
    return {
      sent: this.#sent,
      lines: this.#agent.lines.slice(this.#from),
      interrupts: this.#interrupts,
      stops: this.#stops,
      unanswered: this.#unanswered,
      cancels: this.#cancels,
      lastCall,
      exitCode,
    };
  }

  #say(text: string, named: boolean, more: JsonObject): void {
    const uuid = named ? crypto.randomUUID() : undefined;
    this.#sent.push({ text, uuid, isCommand: text.startsWith("/") });
    this.#agent.send(prompt(text, { ...more, ...(uuid && { uuid }) }));
  }

  #interrupt(cancelQueued: boolean): void {
    const id = this.#newId();
    this.#interrupts.push(id);
    this.#agent.send(request(id, "interrupt", cancelQueued ? { cancel_queued: true } : {}));
  }

  #reply(id: unknown, reply: Reply): void {
    if (reply === "late") this.#putOff.push(id);
    else if (reply === "never") this.#unanswered.push(id);
    else if (reply === "allow") this.#agent.send(answer(id, { behavior: "allow" }));
    else {
      const interrupt = reply === "deny and stop";
      if (interrupt) this.#stops.add(id);
      this.#agent.send(answer(id, { behavior: "deny", message: "no", ...(interrupt && { interrupt }) }));
    }
  }

  async #wait(until: Moment): Promise<void> {
    if (until === "tick") return void (await delay(1));
    const found = this.#agent.line(MOMENTS[until], this.#agent.lines.length).catch(() => undefined);
    await Promise.race([found, delay(PATIENCE_MS)]);
  }

  #named(ago: number): Sent | undefined {
    return this.#sent.filter(({ uuid }) => uuid !== undefined).at(-1 - ago);
  }

  #newId(): string {
    return `${this.#name}-request-${this.#requests++}`;
  }
}
