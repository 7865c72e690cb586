import { randomUUID } from "node:crypto";
import type { HostMessage } from "@agentwire/protocol";
import type { hostRequests, RequestOf, ResponseOf } from "@agentwire/protocol/control";
import type { MessageContent, PromptMessage } from "@agentwire/protocol/messages";
import { deadlinesOf } from "../deadlines.ts";
import { HostError } from "../errors.ts";
import { openLink } from "../link/agent-link.ts";
import type { AgentOutputMessage, Ending, Link, RequestOptions } from "../link/link.ts";
import { mirrorError, mirrorTo, type TranscriptMirror } from "../store/transcript-mirror.ts";
import { prepareSession } from "./prepare-session.ts";
import { type Question, Questions } from "./questions.ts";
import {
  checkedSessionOptions,
  linkOptions,
  officialOptions,
  type SessionAgent,
  type SessionOptions,
} from "./session-options.ts";

type Asks = typeof hostRequests;

/** A running agent with prompts, messages and requests, until it is closed. */
export class Session implements AsyncDisposable {
  /** What is known about the agent. */
  readonly agent: SessionAgent;
  /** The agent's answer to the handshake; undefined if its version has none. */
  readonly handshake: ResponseOf<Asks, "initialize"> | undefined;
  /** Permission questions, if `permissions` is `"stream"`; for one reader. */
  readonly questions: AsyncIterable<Question>;
  readonly #link: Link;
  readonly #mirror: TranscriptMirror | undefined;

  /** Created by `openSession`. */
  constructor(
    agent: SessionAgent,
    handshake: ResponseOf<Asks, "initialize"> | undefined,
    link: Link,
    questions: AsyncIterable<Question>,
    mirror: TranscriptMirror | undefined,
  ) {
    this.agent = agent;
    this.handshake = handshake;
    this.#link = link;
    this.questions = questions;
    this.#mirror = mirror;
  }

  /** The process id; undefined if the agent runs elsewhere. */
  get pid(): number | undefined {
    return this.#link.pid;
  }

  /**
   * All messages of the agent, for one reader; messages that arrive before it starts reading are kept. Ends with the agent, and
   * throws if the agent ended unexpectedly. A reader that lags behind makes the agent wait.
   */
  get messages(): AsyncIterable<AgentOutputMessage> {
    return { [Symbol.asyncIterator]: () => this.#iterate() };
  }

  /** Sends a prompt and returns its id; throws a `HostError` if the agent can no longer receive it. */
  send(prompt: string | MessageContent | PromptMessage): string {
    const message: PromptMessage =
      typeof prompt === "string" || Array.isArray(prompt)
        ? { type: "user", message: { role: "user", content: prompt }, parent_tool_use_id: null }
        : prompt;
    if (message?.type !== "user")
      throw new HostError(
        "invalid_option",
        "a prompt must be a string, a list of blocks, or a message of type user",
      );
    const uuid = message.uuid ?? randomUUID();
    this.#link.send({ ...message, uuid } as HostMessage);
    return uuid;
  }

  /** A promise that is there while the agent reads more slowly than the host writes. */
  get room(): Promise<void> | undefined {
    return this.#link.room;
  }

  /** Sends a request to the agent: `interrupt`, `set_model` or any other; rejects with a `HostError`. */
  request<S extends keyof Asks & string>(
    subtype: S,
    params: RequestOf<Asks, S>,
    options?: RequestOptions,
  ): Promise<ResponseOf<Asks, S>> {
    return this.#link.request(subtype, params, options);
  }

  /** Resolves, never rejects, when the agent is gone. */
  get ended(): Promise<Ending> {
    return this.#whole(this.#link.ended);
  }

  /** Stops the agent: end of input, TERM, KILL, of its whole process group. */
  async close(): Promise<Ending> {
    return this.#whole(this.#link.close());
  }

  /** Lets the agent finish what is open, and waits for its exit. */
  async drain(): Promise<Ending> {
    return this.#whole(this.#link.drain());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** The ending, once everything that the agent wrote before it is in the store. */
  async #whole(ended: Promise<Ending>): Promise<Ending> {
    const ending = await ended;
    await this.#mirror?.flush();
    return withoutExpectedError(ending);
  }

  #iterate(): AsyncIterator<AgentOutputMessage, undefined, undefined> {
    const { messages } = this.#link;
    const next = async (): Promise<IteratorResult<AgentOutputMessage, undefined>> => {
      // Another reader may have taken the message first.
      do {
        const value = messages.take();
        if (value?.type === "transcript_mirror") continue;
        if (value?.type === "result") await this.#mirror?.flush();
        if (value !== undefined) return { done: false, value };
      } while (await messages.ready());
      const { error } = await this.ended;
      if (error) throw error;
      return { done: true, value: undefined };
    };
    return { next, return: async () => ({ done: true, value: undefined }) };
  }
}

/** Finds an agent, starts it and completes the handshake; rejects with a `HostError` that says what to do. */
export async function openSession(given: SessionOptions = {}): Promise<Session> {
  const options = checkedSessionOptions(given);
  const { permissions, handlers } = options;
  const { agent, launch, initialize, remove } = await prepareSession(options, process.env);
  const questions = new Questions();
  const decide = permissions === "stream" ? questions.ask : permissions;
  const { sessionStore, onMirrorError } = options;
  const mirror =
    sessionStore &&
    mirrorTo(sessionStore, officialOptions(options), launch.env, (failure) =>
      onMirrorError?.(mirrorError(failure)),
    );
  const link = openLink(
    { ...linkOptions(options), ...launch, ...(mirror && mirrored(mirror, options)) },
    { ...handlers, ...(decide && { can_use_tool: decide }) },
  );
  void link.ended.then(() => {
    questions.end();
    return remove();
  });
  try {
    const handshake = initialize && (await shakeHands(link, initialize, options.deadlines));
    const { command: _started, ...known } = agent;
    return new Session(known, handshake, link, questions, mirror);
  } catch (error) {
    const { error: ended } = await link.close();
    // The same error, with the facts about how the process ended.
    throw ended?.code === (error as HostError).code ? ended : error;
  }
}

/** Sends transcript pieces to the store; after a result, the agent waits until everything before it is stored. */
function mirrored(
  mirror: TranscriptMirror,
  { onMessage, take }: SessionOptions,
): Pick<SessionOptions, "onMessage" | "take"> {
  return {
    onMessage: (message, line) => {
      if (message.type === "transcript_mirror") mirror.add(message);
      onMessage?.(message, line);
    },
    ...(take && {
      take: (message, line) => {
        if (message.type === "transcript_mirror") return undefined;
        // Not held back, or messages that arrived together with it would be taken first.
        const taken = take(message, line);
        return message.type === "result" ? Promise.all([taken, mirror.flush()]).then(() => {}) : taken;
      },
    }),
  };
}

function shakeHands(
  link: Link,
  initialize: RequestOf<Asks, "initialize">,
  deadlines: SessionOptions["deadlines"],
): Promise<ResponseOf<Asks, "initialize">> {
  // The first answer may take as long as the first line, plus the time of the user's start hooks.
  const { firstLineMs, requestMs } = deadlinesOf(deadlines);
  return link.request("initialize", initialize, { deadlineMs: firstLineMs + requestMs });
}

/** An agent whose last turn failed exits with 1: its result has already reported the failure. */
function withoutExpectedError(ending: Ending): Ending {
  if (!ending.lastTurnFailed || ending.exitCode !== 1 || ending.error?.code !== "exited") return ending;
  const { error: _expected, ...rest } = ending;
  return rest;
}
