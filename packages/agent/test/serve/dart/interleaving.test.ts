import { randomUUID } from "node:crypto";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { times } from "../../../../../test/times.ts";
import { InProcessAgent, playingOne } from "../../in-process.ts";
import type { Place } from "../../place.ts";
import { is, isResult } from "../../wire.ts";
import { playTalks } from "../interleaving/lanes.ts";
import { modelSteps } from "../interleaving/model-steps.ts";
import { ARGUMENTS, callback, create, initialize, isError, send } from "./dart-host.ts";

const MOVES = [
  "initialize",
  "create",
  "send",
  "send",
  "interrupt",
  "allow",
  "allow",
  "deny",
  "answer nobody",
  "nonsense",
  "wait for a callback",
  "wait for a reply",
  "wait for a result",
  "wait a moment",
] as const;

const talks = fc.record({
  moves: fc.array(fc.constantFrom(...MOVES), { maxLength: 16, size: "max" }),
  steps: modelSteps,
});

/** A host that performs its moves, and counts the answers that it is due. */
class Host {
  readonly #agent: InProcessAgent;
  readonly requests: string[] = [];
  readonly prompts: string[] = [];
  readonly owed = { SESSION_NOT_FOUND: 0, SESSION_EXISTS: 0, INVALID_MESSAGE: 0 };
  /** Answers that it can't have waited for. */
  strays = 0;
  answers = 0;
  #read = 0;

  constructor(agent: InProcessAgent) {
    this.#agent = agent;
  }

  async make(move: (typeof MOVES)[number]): Promise<void> {
    switch (move) {
      case "initialize":
        return this.#agent.send(initialize(this.#newRequest()));
      case "interrupt":
        return this.#agent.send({
          type: "control_request",
          request_id: this.#newRequest(),
          request: { subtype: "interrupt" },
        });
      case "create":
        if (this.prompts.length > 0) this.owed.SESSION_EXISTS++;
        return this.#say(create("Hello"), this.prompts.length === 0);
      case "send":
        if (this.prompts.length === 0) this.owed.SESSION_NOT_FOUND++;
        return this.#say(send("And now?"), this.prompts.length > 0);
      case "allow":
        return this.#answer({ behavior: "allow" });
      case "deny":
        return this.#answer({ behavior: "deny", message: "no" });
      case "answer nobody":
        this.strays++;
        return this.#agent.send(callback("nobody", { behavior: "allow" }));
      case "nonsense":
        this.owed.INVALID_MESSAGE++;
        return this.#agent.write("nonsense\n");
      case "wait for a callback":
        return this.#wait(is("callback.request"));
      case "wait for a reply":
        return this.#wait(is("assistant"));
      case "wait for a result":
        return this.#wait(isResult);
      case "wait a moment":
        return this.#wait(() => false, 3);
    }
  }

  #newRequest(): string {
    const id = `r${this.requests.length}`;
    this.requests.push(id);
    return id;
  }

  #say(prompt: JsonObject, isAccepted: boolean): void {
    const uuid = randomUUID();
    if (isAccepted) this.prompts.push(uuid);
    this.#agent.send({ ...prompt, uuid });
  }

  #answer(response: JsonObject): void {
    const question = this.#agent.lines.findLast(is("callback.request"));
    if (!question) return;
    this.answers++;
    this.#agent.send(callback(question.request_id, response));
  }

  async #wait(matches: (line: JsonObject) => boolean, patienceMs = 60): Promise<void> {
    await this.#agent.until(matches, this.#read, patienceMs);
    this.#read = this.#agent.lines.length;
  }
}

async function play({ moves, steps }: { moves: (typeof MOVES)[number][]; steps: object[] }, place: Place) {
  const script = await playingOne(place, { steps, whenExhausted: { text: "Done." } });
  const agent = new InProcessAgent(place, [...ARGUMENTS, "--cwd", place.cwd, ...script]);
  const host = new Host(agent);
  for (const move of moves) await host.make(move);
  expect([0, 1]).toContain(await agent.end());
  expectRulesKept(agent.lines, host);
}

function expectRulesKept(lines: readonly JsonObject[], host: Host): void {
  const at = (matches: (line: JsonObject) => boolean) => lines.findIndex(matches);
  const count = (matches: (line: JsonObject) => boolean) => lines.filter(matches).length;

  // One result per turn: each names the prompts that started its turn, and none is in two results.
  const opened = lines.filter(isResult).map((result) => result.user_message_uuids as string[]);
  expect(opened.every((uuids) => uuids.length > 0)).toBe(true);
  expect(new Set(opened.flat()).size).toBe(opened.flat().length);

  // Every accepted prompt ends exactly once: with its own turn or within another one.
  const ended = lines.filter((line) => is("command_lifecycle")(line) && ENDS.has(line.state));
  expect(ended.map((line) => line.command_uuid).toSorted()).toEqual(host.prompts.toSorted());

  // The result is the last line of a turn.
  const last = lines.findLastIndex(isResult);
  expect(lines.slice(last + 1).filter(({ type }) => TURN.has(type))).toEqual([]);

  const answered = lines.filter(is("control_response")).map((line) => line.request_id);
  expect(answered.toSorted()).toEqual(host.requests.toSorted());
  for (const [code, owed] of Object.entries(host.owed))
    expect([code, count(isError(code))]).toEqual([code, owed]);
  const unheard = count(isError("CALLBACK_NOT_FOUND"));
  expect(unheard).toBeGreaterThanOrEqual(host.strays);
  expect(unheard).toBeLessThanOrEqual(host.strays + host.answers);

  expect(count(is("session.created"))).toBe(host.prompts.length > 0 ? 1 : 0);
  expect(count(is("system", "init"))).toBeLessThanOrEqual(1);
  if (host.prompts.length > 0 && at(is("assistant")) >= 0)
    expect(at(is("session.created"))).toBeLessThan(at(is("assistant")));
  expect(lines.every(isJsonObject)).toBe(true);
}

const ENDS: ReadonlySet<unknown> = new Set(["completed", "cancelled"]);
const TURN: ReadonlySet<unknown> = new Set(["assistant", "user", "callback.request", "stream_event"]);

test(
  "a Dart host may act in any order: nothing hangs and every turn ends with exactly one result",
  {
    timeout: 120_000,
  },
  () => playTalks(times(60, 240), talks, play),
);
