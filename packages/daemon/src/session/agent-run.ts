import {
  type Ending,
  type Session as HostSession,
  openSession,
  type Said,
  type SessionOptions,
} from "@agentwire/host";
import type { MessageContent } from "@agentwire/protocol";
import { Arrivals, type Fault } from "./arrivals.ts";

/** What a run tells whoever drives it. */
export interface RunEvents {
  /** What the agent said, and the line it came in where that is worth keeping; a promise holds back the agent. */
  said(message: Said, line: string | undefined): Promise<void> | undefined;
  /** A line that is no message, in its place among them. */
  failed(fault: Fault): void;
  /** The process is gone; called once, also for one that never came up. */
  ended(ending: RunEnding): void;
}

/** How a run ended; without an error it was asked to. */
export type RunEnding = Partial<Omit<Ending, "error">> & { readonly error?: Error };

/** One process of a session, from its start to its end. */
export class AgentRun {
  readonly #arrivals = new Arrivals();
  readonly #agent: Promise<HostSession>;
  #isClosed = false;

  /** `options` may reject: an agent that can't be found ends like one that can't be started. */
  constructor(options: () => Promise<SessionOptions>, longChars: number, events: RunEvents) {
    this.#agent = this.#open(options, longChars, events);
    void this.#live(events);
  }

  /** The line in which a question was asked. */
  lineOf(requestId: string): string | undefined {
    return this.#arrivals.requested(requestId);
  }

  /** Resolves when the agent takes prompts; rejects if it never will. */
  ready(): Promise<HostSession> {
    return this.#agent;
  }

  /** Gives the agent a prompt under an id by which it knows it again. */
  async send(id: string, content: MessageContent): Promise<void> {
    const agent = await this.#agent;
    agent.send({ type: "user", message: { role: "user", content }, parent_tool_use_id: null, uuid: id });
  }

  /** Ends the process; whatever it was doing is over. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const agent = await this.#agent.catch(() => undefined);
    await agent?.close();
  }

  async #open(options: () => Promise<SessionOptions>, longChars: number, events: RunEvents) {
    const arrivals = this.#arrivals;
    return openSession({
      ...(await options()),
      onMessage: (message, line) => arrivals.came(message, line, longChars),
      onMalformed: (fault, line) => {
        if (arrivals.failed({ fault, line })) events.failed({ fault, line });
      },
    });
  }

  async #live(events: RunEvents): Promise<void> {
    let ending: RunEnding;
    try {
      const agent = await this.#agent;
      for await (const message of agent.messages) {
        const room = events.said(message, this.#arrivals.take());
        for (const fault of this.#arrivals.due()) events.failed(fault);
        await room;
      }
      ending = await agent.ended;
    } catch (cause) {
      const agent = await this.#agent.catch(() => undefined);
      const error = cause instanceof Error ? cause : new Error(String(cause));
      ending = { ...(await agent?.close()), error };
    }
    const { error: _, ...facts } = ending;
    events.ended(this.#isClosed ? facts : ending);
  }
}
