import { setTimeout as delay } from "node:timers/promises";
import { Disposition, type Event, EventSchema, PromptState } from "@agentwire/api";
import { toJson } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { holesIn } from "../holes.ts";
import type { Lab } from "./lab.ts";

/** A prompt that the daemon acknowledged. */
export interface Acked {
  readonly key: string;
  readonly promptId: string;
  readonly seq: number;
}

/** Daemons as clients reach them; each access may yield a different one. */
export interface Daemons extends Pick<Lab, "sessions" | "questions" | "up"> {}

/** Watches one session across restarts of its daemon, answers its questions, and records what it received. */
export class Witness {
  readonly sessionId: string;
  readonly acked = new Map<string, Acked>();
  readonly faults: string[] = [];
  readonly #lab: Daemons;
  readonly #seen = new Map<number, Event>();
  readonly #decided = new Map<string, Disposition>();
  readonly #leaving = new AbortController();
  readonly #following: Promise<void>;
  #last = 0;

  constructor(lab: Daemons, sessionId: string) {
    this.#lab = lab;
    this.sessionId = sessionId;
    this.#following = this.#follow();
  }

  /** Sends a prompt under a key until it is acknowledged, however often the daemon dies; rejects if a call never ends. */
  async send(key: string, text: string): Promise<void> {
    for (;;) {
      try {
        const { sessionId } = this;
        const request = { sessionId, text, idempotencyKey: key };
        const { promptId, seq } = await this.#lab.sessions.sendPrompt(request);
        this.ack({ key, promptId, seq: Number(seq) });
        return;
      } catch (error) {
        if (isEndless(error)) throw new Error(`${key}: ${error}`);
        if (String(error).includes("NOT_INPUT_HOLDER"))
          await this.#lab.sessions.takeInput({ sessionId: this.sessionId, force: true }).catch(() => {});
        await this.#lab.up.catch(() => {});
        await delay(5);
      }
    }
  }

  ack(acked: Acked): void {
    const before = this.acked.get(acked.key);
    if (before && before.promptId !== acked.promptId) this.faults.push(`${acked.key} was accepted twice`);
    this.acked.set(acked.key, acked);
  }

  /** Every fault, once the session is idle. */
  async verdict(): Promise<readonly string[]> {
    const stored = await this.#stored();
    const has = new Map(stored.map((event) => [Number(event.seq), event]));
    await this.#reach(Number(stored.at(-1)?.seq ?? 0));
    return [
      ...this.faults,
      ...stored.flatMap(({ seq, body }) =>
        this.#seen.has(Number(seq)) ? [] : [`${seq} (${body.case}) is stored and was not sent`],
      ),
      ...holesIn(stored),
      ...[...this.#seen.values()].flatMap((event) => this.#stillThere(event, has)),
      ...[...this.acked.values()].flatMap((acked) => promptFaults(acked, stored)),
      ...questionFaults(stored, this.#decided),
    ];
  }

  /** Waits until every event up to a number has been received. */
  async #reach(seq: number): Promise<void> {
    for (let i = 0; i < 600 && this.#last < seq; i++) await delay(50);
  }

  async leave(): Promise<void> {
    this.#leaving.abort();
    await this.#following;
  }

  async #stored(): Promise<readonly Event[]> {
    const stored: Event[] = [];
    for (let more = true; more; ) {
      const fromSeq = stored.at(-1)?.seq ?? 0n;
      const page = await this.#lab.sessions.listEvents({
        sessionId: this.sessionId,
        fromSeq,
        pageSize: 1000,
      });
      stored.push(...page.events);
      more = page.more;
    }
    return stored;
  }

  #stillThere(event: Event, stored: ReadonlyMap<number, Event>): readonly string[] {
    const kept = stored.get(Number(event.seq));
    if (kept) return same(kept, event) ? [] : [`${event.seq} is stored otherwise than it was sent`];
    return event.body.case?.endsWith("Delta")
      ? []
      : [`${event.seq} (${event.body.case}) was sent and is not stored`];
  }

  async #follow(): Promise<void> {
    const { signal } = this.#leaving;
    while (!signal.aborted) {
      try {
        const request = { sessionId: this.sessionId, afterSeq: BigInt(this.#last), client: "witness" };
        for await (const { events, gap } of this.#lab.sessions.watch(request, { signal })) {
          if (gap) this.faults.push(`a gap from ${gap.fromSeq}`);
          for (const event of events) this.#hear(event);
        }
      } catch {
        await this.#lab.up.catch(() => {});
        await delay(5);
      }
    }
  }

  #hear(event: Event): void {
    const seq = Number(event.seq);
    if (seq <= this.#last) this.faults.push(`${seq} came after ${this.#last}`);
    this.#last = seq;
    this.#seen.set(seq, event);
    if (event.body.case === "permissionAsked") void this.#decide(event.body.value.question?.id ?? "");
  }

  /** Decides a question, retrying while the daemon is unreachable: in a cluster the question may stay open. */
  async #decide(questionId: string): Promise<void> {
    await delay(Number.parseInt(questionId.slice(0, 2), 16) / 8);
    while (!this.#leaving.signal.aborted) {
      try {
        const decision = { case: "allow" as const, value: {} };
        const { decidedNow } = await this.#lab.questions.decide({ questionId, decision });
        if (decidedNow) this.#decided.set(questionId, Disposition.ALLOWED);
        return;
      } catch (error) {
        if (isEndless(error)) this.faults.push(`question ${questionId}: ${error}`);
        // Any other error means that the question ended in another way, which is checked later.
        if (!PASSING.has(ConnectError.from(error).code)) return;
        await this.#lab.up.catch(() => {});
        await delay(20);
      }
    }
  }
}

/** The errors a client sees while a daemon is temporarily unreachable. */
const PASSING: ReadonlySet<Code> = new Set([
  Code.Unavailable,
  Code.Aborted,
  Code.Canceled,
  Code.Internal,
  Code.Unknown,
]);

/** The lab's deadline is the only one here. */
const isEndless = (error: unknown) => ConnectError.from(error).code === Code.DeadlineExceeded;

const same = (one: Event, other: Event) =>
  JSON.stringify(toJson(EventSchema, one)) === JSON.stringify(toJson(EventSchema, other));

function promptFaults({ key, promptId, seq }: Acked, stored: readonly Event[]): readonly string[] {
  const inputs = stored.filter(({ body }) => body.case === "userInput" && body.value.promptId === promptId);
  const states = stored.flatMap(({ body }) =>
    body.case === "promptChange" && body.value.promptId === promptId ? [body.value.state] : [],
  );
  const isOver = states.at(-1) === PromptState.COMPLETED || states.at(-1) === PromptState.CANCELLED;
  return [
    ...(inputs.length === 1 && Number(inputs[0]?.seq) === seq
      ? []
      : [`${key} is stored ${inputs.length} times`]),
    ...(isOver ? [] : [`${key} was never answered: ${states.map((state) => PromptState[state])}`]),
    ...(new Set(states).size === states.length ? [] : [`${key} was ${states} `]),
  ];
}

function questionFaults(
  stored: readonly Event[],
  decided: ReadonlyMap<string, Disposition>,
): readonly string[] {
  const asked = stored.flatMap(({ body }) =>
    body.case === "permissionAsked" && body.value.question ? [body.value.question] : [],
  );
  const ends = stored.flatMap(({ body }) => (body.case === "permissionDecided" ? [body.value] : []));
  const calls = asked.map(({ toolUseId }) => toolUseId);
  const told = new Set<string>();
  const early = stored.flatMap(({ body }) => {
    if (body.case === "toolCallStart") told.add(body.value.toolUseId);
    const id = body.case === "permissionAsked" ? body.value.question?.toolUseId : undefined;
    return id === undefined || told.has(id) ? [] : [`${id} was asked about before it was told`];
  });
  return [
    ...early,
    ...(new Set(calls).size === calls.length ? [] : ["a question was asked twice"]),
    ...asked.flatMap(({ id }) => {
      const own = ends.filter(({ questionId }) => questionId === id);
      if (own.length !== 1) return [`question ${id} ended ${own.length} times`];
      const answer = decided.get(id);
      return answer === undefined || own[0]?.disposition === answer ? [] : [`the decision of ${id} was lost`];
    }),
  ];
}
