import { randomUUID } from "node:crypto";
import { type Event, EventSchema, PromptState } from "@agentwire/api";
import { fromBinary } from "@bufbuild/protobuf";
import { DaemonError } from "../errors.ts";
import type { SessionRecord } from "../store/session-record.ts";
import type { EventLog } from "../store/store.ts";

/** The position of a prompt in a conversation, to which the conversation can be rewound. */
export interface RewindPoint {
  /** The prompts from this one on, oldest first. */
  readonly promptIds: readonly string[];
  /** The number from which on events no longer belong to the conversation. */
  readonly fromSeq: number;
  /** The same for a copy that also leaves out the prompt itself, if nothing was said between its arrival and its turn. */
  readonly copyBefore: number;
  /** The prompts that had arrived before that number, but whose turns had not started. */
  readonly waiting: readonly string[];
  /** The text of the prompt. */
  readonly text: string;
  /** The agent's id of the last message before it; undefined if there is none. */
  readonly lastMessageId: string | undefined;
}

const PAGE = 200;

/** Finds the position of a prompt whose turn has started, reading backwards; rejects if the conversation can't be rewound to it. */
export async function rewindPoint(log: EventLog, sessionId: string, promptId: string): Promise<RewindPoint> {
  const search = new Search(promptId);
  for (let before = Number.MAX_SAFE_INTEGER; !search.isDone; ) {
    const page = await log.before(sessionId, before, PAGE);
    const [first] = page;
    if (!first) break;
    before = search.take(page.map(({ body }) => fromBinary(EventSchema, body)).reverse()) ?? first.seq;
  }
  const { first } = await log.bounds(sessionId);
  return search.result(first <= 1);
}

/** The fields of a record that make the next process continue from there. */
export const backTo = (
  { lastMessageId }: RewindPoint,
  { agentSessionId }: SessionRecord,
): Pick<SessionRecord, "agentSessionId" | "resumeAt"> =>
  lastMessageId === undefined
    ? { agentSessionId: "", resumeAt: randomUUID() }
    : { agentSessionId, resumeAt: lastMessageId };

/** What is known about a prompt after some events, which are read backwards. */
class Search {
  readonly #promptId: string;
  readonly #promptIds: string[] = [];
  #fromSeq: number | undefined;
  #copyBefore: number | undefined;
  #text: string | undefined;
  #waiting: string[] = [];
  #lastMessageId: string | undefined;
  #isSummarised = false;
  #hasUnnamed = false;

  constructor(promptId: string) {
    this.#promptId = promptId;
  }

  get isDone(): boolean {
    return this.#text !== undefined && (this.#lastMessageId !== undefined || this.#hasUnnamed);
  }

  /** Takes events, latest first; returns the number before which to continue if some of them were rewound. */
  take(events: readonly Event[]): number | undefined {
    for (const event of events) {
      if (event.body.case === "conversationRewind") return Number(event.body.value.fromSeq);
      if (this.#fromSeq === undefined) this.#later(event);
      else this.#earlier(event);
      if (this.isDone) return undefined;
    }
    return undefined;
  }

  result(isWhole: boolean): RewindPoint {
    if (this.#fromSeq === undefined)
      throw new DaemonError(
        "INVALID_ARGUMENT",
        "prompt_id: this prompt is not part of the conversation, or its turn has not started",
      );
    if (this.#isSummarised)
      throw new DaemonError(
        "INVALID_ARGUMENT",
        "the conversation was summarized after this prompt, so the agent no longer has it: choose a later one",
      );
    if (this.#lastMessageId === undefined && (this.#hasUnnamed || !isWhole))
      throw new DaemonError(
        "INVALID_ARGUMENT",
        "the messages before this prompt are no longer stored: choose a later one",
      );
    return {
      promptIds: this.#promptIds.toReversed(),
      fromSeq: this.#fromSeq,
      copyBefore: this.#copyBefore ?? this.#fromSeq,
      waiting: this.#waiting,
      text: this.#text ?? "",
      lastMessageId: this.#lastMessageId,
    };
  }

  #later({ body, seq }: Event): void {
    if (body.case === "compaction") this.#isSummarised = true;
    if (body.case !== "promptChange" || body.value.state !== PromptState.STARTED) return;
    this.#promptIds.push(body.value.promptId);
    if (body.value.promptId === this.#promptId) this.#fromSeq = Number(seq);
  }

  #earlier({ body, seq, agentMessageId, parentToolUseId }: Event): void {
    if (body.case === "userInput" && this.#text === undefined) {
      this.#waiting.push(body.value.promptId);
      if (body.value.promptId !== this.#promptId) return;
      this.#text = body.value.text;
      if (this.#lastMessageId === undefined && !this.#hasUnnamed) {
        this.#copyBefore = Number(seq);
        this.#waiting = [];
      }
      return;
    }
    if (parentToolUseId !== "" || (body.case !== "text" && body.case !== "toolCallStart")) return;
    if (agentMessageId !== "") this.#lastMessageId ??= agentMessageId;
    else if (this.#lastMessageId === undefined) this.#hasUnnamed = true;
  }
}
