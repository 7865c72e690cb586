import {
  type AgentOutputMessage,
  type Ending,
  type Session as HostSession,
  openSession,
  type PermissionHandler,
  type SessionOptions,
} from "@agentwire/host";
import { isJsonObject, type JsonObject, type Line, type Malformed } from "@agentwire/protocol";
import type { HookInput, HookOutput } from "@agentwire/protocol/hooks";
import { isFailure, type MessageContent } from "@agentwire/protocol/messages";
import type { PermissionResult } from "@agentwire/protocol/permission";
import type { Boundary } from "../boundary.ts";
import type { AgentHealth } from "../health/agent-health.ts";
import type { CostOf } from "../models/agent-gateway.ts";
import { DECLINED, type ElicitationAnswer, type Elicited } from "../permission/elicitation.ts";
import type { Asked } from "../permission/ledger.ts";
import type { PlannedCall, ToolQuestion } from "../permission/question.ts";
import type { SessionRecord } from "../store/session-record.ts";

/** A line that is not a message. */
export interface Fault {
  readonly fault: Malformed;
  readonly line: Line;
}

/** The events of a run for its driver. */
export interface RunEvents {
  /** A message and its line; a returned promise pauses the agent. */
  said(message: AgentOutputMessage, line: string | undefined): Promise<void> | undefined;
  /** A line that is not a message, in its place among them. */
  failed(fault: Fault): void;
  /** The agent asks whether a tool may run; called in order with the messages. */
  asked(question: ToolQuestion, how: Asked): Promise<PermissionResult>;
  /** An MCP server, or the agent, wants something of its user; called in order with the messages. */
  elicits(asked: Elicited, how: Asked): Promise<ElicitationAnswer>;
  /** Whether a call that the agent is about to make has to be reported at all. */
  forbids(call: PlannedCall): boolean;
  /** The agent is about to make such a call, in any mode; called in order with the messages. */
  calls(call: PlannedCall, how: Asked, heldMs: number | undefined): Promise<HookOutput>;
  /** The process has ended; called once, even if it never started. */
  ended(ending: RunEnding): void;
}

/** How a run ended; without an error, it was asked to end. */
export type RunEnding = Partial<Omit<Ending, "error">> & {
  readonly error?: Error;
  /** Whether it ended before it took prompts. */
  readonly neverCameUp: boolean;
  /** What it reported about its failure, on any channel. */
  readonly complaint: string;
};

type HookHandler = NonNullable<NonNullable<SessionOptions["handlers"]>["hook_callback"]>;

/** Who decides about the tools of a process. */
export interface Deciders {
  /** About its questions. */
  readonly permissions: PermissionHandler;
  /** About every call, before it is made or asked about; an agent that ignores an instruction to ask waits this long. */
  readonly beforeCall: (heldMs: number | undefined) => HookHandler;
}

/** How a process is started for a session, and what its agent can do. */
export interface Launched {
  readonly options: SessionOptions;
  readonly health: AgentHealth;
  /** The id that the agent was told to give its conversation, where it takes one. */
  readonly sessionId: string | undefined;
  /** Whether it accepts rules while it runs. */
  readonly takesRules: boolean;
  /** Whether the session's rules differ from those that it got as flags. */
  readonly isOutdated: (record: SessionRecord) => boolean;
  /** Whether a process that was started this way can switch to another model. */
  readonly takesModel: (model: string) => Promise<boolean>;
  /** What its tokens cost, where that is known better here than by the agent. */
  readonly costOf: CostOf | undefined;
  /** What clients are told about a folder whose files are ignored; undefined if they apply. */
  readonly distrust: string | undefined;
  /** The guarantees that its version can't give, for people; undefined if there are none. */
  readonly shortfall: string | undefined;
  /** The MCP servers that it is told when it has started. */
  readonly servers?: JsonObject | undefined;
  /** To be called when its process is gone. */
  readonly ended?: () => void;
  /** To be called if it died in a turn: it may share its process with others. */
  readonly died?: () => void;
}

/** Starts a process, given who decides about its tools; a rejection ends the run. */
export type RunLaunch = (deciders: Deciders) => Promise<SessionOptions>;

/** The events of every run, for the daemon. */
export interface RunWatch {
  /** A message of this many characters has arrived. */
  readonly onLine: (chars: number) => void;
  /** Its process runs; the returned function is called when the process has ended. */
  readonly onGroup: (group: number) => () => void;
}

/** How many characters of output may be buffered before there is an owner; beyond that the agent is paused. */
const MAX_EARLY_CHARS = 16_777_216;

/** One process, from its start to its end; its owner gets all of its messages from the start, in order. */
export class AgentRun {
  readonly #agent: Promise<HostSession>;
  readonly #closing = new AbortController();
  #events: RunEvents | undefined;
  #living: Promise<void> | undefined;
  /** Output from before there was an owner, or before the agent took prompts; undefined afterwards. */
  #early: (() => void)[] | undefined = [];
  #earlyChars = 0;
  /** Resumes an agent that was paused until it had an owner. */
  #release = () => {};
  readonly #released = new Promise<void>((resolve) => {
    this.#release = resolve;
  });
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

  /** Whether the agent takes prompts. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** Sets the owner, whose failures are caught by a boundary; called once. */
  own(guard: Boundary, owner: RunEvents): void {
    const events = guardedEvents(owner, guard);
    this.#events = events;
    this.#living = this.#live(events);
  }

  /** Resolves when the agent takes prompts; rejects if it never will. */
  ready(): Promise<HostSession> {
    return this.#agent;
  }

  /** Gives the agent a prompt with an id by which it recognizes it, under the agent's own session id. */
  async send(id: string, content: MessageContent, sessionId: string): Promise<void> {
    const agent = await this.#agent;
    const message = { role: "user", content } as const;
    agent.send({ type: "user", message, parent_tool_use_id: null, session_id: sessionId, uuid: id });
  }

  /** Ends the process; resolves when its owner has been told. */
  async close(): Promise<void> {
    // The reason may be something it has just written: the rest of that output is processed too.
    await Promise.resolve();
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
    { onLine }: RunWatch,
    onGroup: (group: number) => void,
  ): Promise<HostSession> {
    const options = await launch({
      permissions: (question, context) =>
        this.#answer((events) => events.asked(question, context)) ?? UNOWNED,
      beforeCall: (heldMs) => (request, context) => {
        const call = plannedCall(request.input);
        // Most calls need no decision, and so need not be stored first.
        if (this.#events?.forbids(call) === false) return {};
        return this.#answer((events) => events.calls(call, context, heldMs)) ?? UNOWNED_CALL;
      },
    });
    return openSession({
      ...options,
      handlers: {
        ...options.handlers,
        elicitation: (asked, context) =>
          this.#answer((events) => events.elicits(asked, context)) ?? { ...DECLINED },
      },
      signal: this.#closing.signal,
      onGroup,
      onMessage: (_, line) => onLine(line?.length ?? 0),
      take: (message, line) => this.#said(message, line),
      onMalformed: (fault, line) => this.#inOrder((events) => events.failed({ fault, line })),
    });
  }

  #said(message: AgentOutputMessage, line: string | undefined): Promise<void> | undefined {
    if (message.type === "result" && isFailure(message)) this.#complaint = message.errors?.join("\n") ?? "";
    const events = this.#events;
    if (events && !this.#early) return events.said(message, line);
    this.#early?.push(() => void this.#events?.said(message, line));
    this.#earlyChars += line?.length ?? 0;
    return this.#earlyChars > MAX_EARLY_CHARS ? this.#released : undefined;
  }

  /** Acts immediately, unless earlier output is still queued. */
  #inOrder(act: (events: RunEvents) => void): void {
    const events = this.#events;
    if (events && !this.#early?.length) act(events);
    else this.#early?.push(() => this.#events && act(this.#events));
  }

  /** A question about a call comes after the message with the call. */
  #answer<T>(answer: (events: RunEvents) => T | Promise<T>): Promise<T> | undefined {
    return (
      this.#events &&
      new Promise((resolve, reject) => {
        this.#inOrder((events) => {
          try {
            resolve(answer(events));
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
      this.#catchUp();
      ending = await agent.ended;
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      ending = { ...("stderr" in error && { stderr: String(error.stderr ?? "") }), error };
    }
    const { error, ...facts } = ending;
    const complaint = `${this.#complaint}\n${facts.stderr ?? ""}`;
    const wasAsked = this.#closing.signal.aborted;
    events.ended({ ...facts, ...(error && !wasAsked && { error }), neverCameUp: !this.#isUp, complaint });
  }

  /** From here on output is processed as it arrives. */
  #catchUp(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const act of early) act();
    this.#release();
  }
}

/** The events of a run, inside a boundary: an error of the listener is not treated as one of the agent. */
function guardedEvents(events: RunEvents, guard: Boundary): RunEvents {
  let room: Promise<void> | undefined;
  const said = guard((message: AgentOutputMessage, line: string | undefined) => {
    room = events.said(message, line);
    return room;
  });
  return {
    ...events,
    said: (message, line) => {
      room = undefined;
      said(message, line);
      return room;
    },
    failed: guard((fault) => events.failed(fault)),
    ended: guard((ending) => events.ended(ending)),
  };
}

/** It has no prompt yet, so it should make no calls. */
const UNOWNED: PermissionResult = { behavior: "deny", message: "There is no prompt yet." };
const UNOWNED_CALL: HookOutput = {
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" },
};

/** A hook's view of a call, in the form of a question. */
function plannedCall(told: HookInput): PlannedCall {
  if (told.hook_event_name !== "PreToolUse")
    throw new Error(`a hook of ${told.hook_event_name} was never registered`);
  const { tool_name, tool_input: input, tool_use_id } = told;
  return { tool_name, input: isJsonObject(input) ? input : {}, tool_use_id };
}
