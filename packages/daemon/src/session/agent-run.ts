import {
  type Ending,
  type Session as HostSession,
  openSession,
  type PermissionHandler,
  type Said,
  type SessionOptions,
} from "@agentwire/host";
import {
  type AgentMessage,
  type HookInput,
  type HookOutput,
  isFailure,
  isJsonObject,
  type Line,
  type Malformed,
  type MessageContent,
  type PermissionResult,
  type RequestContext,
} from "@agentwire/protocol";
import type { Boundary } from "../boundary.ts";
import type { Asked } from "../permission/ledger.ts";
import type { PlannedCall, ToolQuestion } from "../permission/question.ts";
import { Arrivals } from "./arrivals.ts";

/** A line that was no message. */
export interface Fault {
  readonly fault: Malformed;
  readonly line: Line;
}

/** What a run tells whoever drives it. */
export interface RunEvents {
  /** What the agent said, and the line it came in where that is worth keeping; a promise holds back the agent. */
  said(message: Said, line: string | undefined): Promise<void> | undefined;
  /** A line that is not a message, in its place among them. */
  failed(fault: Fault): void;
  /** The agent wants to know whether a tool may run; said in its place among the messages. */
  asked(question: ToolQuestion, how: Asked): Promise<PermissionResult>;
  /** Whether a call that the agent is about to make has to be told at all. */
  forbids(call: PlannedCall): boolean;
  /** The agent is about to make such a call, in whatever mode; said in its place among the messages. */
  calls(call: PlannedCall, how: Asked, heldMs: number | undefined): Promise<HookOutput>;
  /** The process is gone; called once, even for one that never came up. */
  ended(ending: RunEnding): void;
}

/** How a run ended; without an error it was asked to. */
export type RunEnding = Partial<Omit<Ending, "error">> & {
  readonly error?: Error;
  /** Whether it never got so far as to take prompts. */
  readonly neverCameUp: boolean;
  /** What it said about its failure, wherever it said it. */
  readonly complaint: string;
};

type HookHandler = NonNullable<NonNullable<SessionOptions["handlers"]>["hook_callback"]>;

/** Who decides about the tools of a process. */
export interface Deciders {
  /** About what it asks. */
  readonly permissions: PermissionHandler;
  /** About every call, before it is made or asked about; an agent that does not ask when it is told to waits for so long. */
  readonly beforeCall: (heldMs: number | undefined) => HookHandler;
}

/** What a process is started with, given who decides about its tools; it may reject, which ends the run. */
export type RunLaunch = (deciders: Deciders) => Promise<SessionOptions>;

/** How a run looks at what comes. */
export interface RunWatch {
  /** Lines beyond this are kept until somebody has seen whether they fit. */
  readonly longChars: number;
  /** A message has come, of so many characters. */
  readonly onLine: (chars: number) => void;
  /** Its process runs; what this gives is called when the process is gone. */
  readonly onGroup: (group: number) => () => void;
}

/** One process, from its start to its end; whoever owns it hears everything that it has said from the start. */
export class AgentRun {
  readonly #arrivals = new Arrivals();
  readonly #agent: Promise<HostSession>;
  readonly #closing = new AbortController();
  #events: RunEvents | undefined;
  #living: Promise<void> | undefined;
  #complaint = "";
  #isUp = false;

  constructor(launch: RunLaunch, watch: RunWatch) {
    this.#agent = this.#open(launch, watch);
    this.#agent.then(
      () => {
        this.#isUp = true;
      },
      () => {},
    );
  }

  /** Whether the agent takes prompts, or would. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** Makes somebody the owner, whose failures go no further than a boundary; called once. */
  own(guard: Boundary, owner: RunEvents): void {
    const events = guardedEvents(owner, guard);
    this.#events = events;
    this.#living = this.#live(events);
  }

  /** Resolves when the agent takes prompts; rejects if it never will. */
  ready(): Promise<HostSession> {
    return this.#agent;
  }

  /** Gives the agent a prompt under an id by which it knows it again, for the session as the agent calls it. */
  async send(id: string, content: MessageContent, sessionId: string): Promise<void> {
    const agent = await this.#agent;
    const message = { role: "user", content } as const;
    agent.send({ type: "user", message, parent_tool_use_id: null, session_id: sessionId, uuid: id });
  }

  /** Ends the process, whatever it was doing; resolves when its owner has been told. */
  async close(): Promise<void> {
    this.#closing.abort();
    const agent = await this.#agent.catch(() => undefined);
    await agent?.close();
    await this.#living;
  }

  async #open(launch: RunLaunch, watch: RunWatch): Promise<HostSession> {
    let gone = () => {};
    const onGroup = (group: number) => {
      gone = watch.onGroup(group);
    };
    try {
      const agent = await this.#connect(launch, watch, onGroup);
      void agent.ended.then(() => gone());
      return agent;
    } catch (error) {
      gone();
      throw error;
    }
  }

  async #connect(
    launch: RunLaunch,
    { longChars, onLine }: RunWatch,
    onGroup: (group: number) => void,
  ): Promise<HostSession> {
    const arrivals = this.#arrivals;
    const options = await launch({
      permissions: (question, context) =>
        this.#inTurn(context, (events, how) => events.asked(question, how)) ?? UNOWNED,
      beforeCall: (heldMs) => (request, context) => {
        const call = plannedCall(request.input);
        // Most calls are free, and nobody needs to have heard of them first.
        if (this.#events?.forbids(call) === false) {
          arrivals.requested(context.requestId);
          return {};
        }
        return this.#inTurn(context, (events, how) => events.calls(call, how, heldMs)) ?? UNOWNED_CALL;
      },
    });
    return openSession({
      ...options,
      signal: this.#closing.signal,
      onGroup,
      onMessage: (message, line) => {
        onLine(typeof line === "string" ? line.length : 0);
        this.#came(message, line, longChars);
      },
      onMalformed: (fault, line) => {
        arrivals.inTurn(arrivals.count, () => this.#events?.failed({ fault, line }));
      },
    });
  }

  #came(message: AgentMessage, line: Line, longChars: number): void {
    this.#arrivals.came(message, line, longChars);
    if (message.type === "result" && isFailure(message)) this.#complaint = message.errors?.join("\n") ?? "";
  }

  /** Requests come faster than messages are taken: nobody is asked about a call before they have heard of it. */
  #inTurn<T>(
    { requestId, signal }: RequestContext,
    answer: (events: RunEvents, how: Asked) => T | Promise<T>,
  ): Promise<T> | undefined {
    const events = this.#events;
    const { line, after = this.#arrivals.count } = this.#arrivals.requested(requestId) ?? {};
    return (
      events &&
      new Promise((resolve, reject) => {
        this.#arrivals.inTurn(after, () => {
          try {
            resolve(answer(events, { requestId, signal, line }));
          } catch (error) {
            reject(error);
          }
        });
      })
    );
  }

  async #live(events: RunEvents): Promise<void> {
    let ending: Partial<Omit<Ending, "error">> & { readonly error?: Error };
    try {
      const agent = await this.#agent;
      for await (const message of agent.messages) {
        const room = events.said(message, this.#arrivals.take());
        this.#arrivals.catchUp();
        if (room) await this.#unlessClosed(room);
      }
      ending = await agent.ended;
    } catch (cause) {
      const agent = await this.#agent.catch(() => undefined);
      const error = cause instanceof Error ? cause : new Error(String(cause));
      ending = {
        ...("stderr" in error && { stderr: String(error.stderr ?? "") }),
        ...(await agent?.close()),
        error,
      };
    }
    const { error, ...facts } = ending;
    const complaint = `${this.#complaint}\n${facts.stderr ?? ""}`;
    const wasAsked = this.#closing.signal.aborted;
    events.ended({ ...facts, ...(error && !wasAsked && { error }), neverCameUp: !this.#isUp, complaint });
  }

  /** A store that takes nothing is no reason to keep a process. */
  async #unlessClosed(room: Promise<void>): Promise<void> {
    const { signal } = this.#closing;
    let leave = () => {};
    const closed = new Promise<void>((resolve) => {
      leave = resolve;
    });
    signal.addEventListener("abort", leave, { once: true });
    if (!signal.aborted) await Promise.race([room, closed]);
    signal.removeEventListener("abort", leave);
  }
}

/** What a run tells, inside a boundary: a failure of whoever listens is not taken for one of the agent. */
function guardedEvents(events: RunEvents, guard: Boundary): RunEvents {
  return {
    ...events,
    said: (message, line) => {
      let room: Promise<void> | undefined;
      guard(() => {
        room = events.said(message, line);
        return room;
      })();
      return room?.catch(() => {});
    },
    failed: guard((fault) => events.failed(fault)),
    ended: guard((ending) => events.ended(ending)),
  };
}

/** Nobody has prompted it, so nobody can want its calls. */
const UNOWNED: PermissionResult = { behavior: "deny", message: "Nobody has said anything yet." };
const UNOWNED_CALL: HookOutput = {
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" },
};

/** What a hook is told of a call, as a question would put it. */
function plannedCall(told: HookInput): PlannedCall {
  if (told.hook_event_name !== "PreToolUse")
    throw new Error(`a hook of ${told.hook_event_name} was never registered`);
  const { tool_name, tool_input: input, tool_use_id } = told;
  return { tool_name, input: isJsonObject(input) ? input : {}, tool_use_id };
}
