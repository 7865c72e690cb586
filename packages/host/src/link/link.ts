import type { AgentMessage, Handlers, HostMessage } from "@agentwire/protocol";
import type {
  agentRequests,
  ControlCancelRequest,
  ControlRequest,
  ControlResponse,
  hostRequests,
  RequestOf,
  ResponseOf,
} from "@agentwire/protocol/control";
import type { HostError, ProcessFacts } from "../errors.ts";
import { AgentLink } from "./agent-link.ts";
import type { Launch } from "./launch.ts";

/** Everything an agent says beside requests and answers. */
export type Said = Exclude<AgentMessage, ControlRequest | ControlResponse | ControlCancelRequest>;

/** What an agent has said and nobody has read yet, for one reader; nothing is lost before it starts. */
export interface Messages extends AsyncIterable<Said> {
  /** The next message if it is there: a reader that is behind needs no promise for each. */
  take(): Said | undefined;
  /** Resolves when there is something to take (true), or nothing will ever come (false). */
  ready(): Promise<boolean>;
}

/** How a link ended. */
export interface Ending extends ProcessFacts {
  /** Whether the last result was a failure: agents then exit with 1, though they did as they were told. */
  readonly lastTurnFailed: boolean;
  /** Why it ended otherwise than asked; undefined after an exit with 0, and after `close`. */
  readonly error?: HostError;
}

/** What a caller may demand of one control request. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Instead of `deadlines.requestMs`; `Infinity` waits for as long as the agent lives. */
  readonly deadlineMs?: number | undefined;
  /** False where the agent's input need not stay open for the answer. */
  readonly holdsInput?: boolean | undefined;
}

type Asks = typeof hostRequests;

/** One running agent: its process, its connection, its end. */
export interface Link extends AsyncDisposable {
  /** Undefined until it has started, and where it runs elsewhere. */
  readonly pid: number | undefined;
  /** Ends, without an error, when the agent's output does; `ended` says why. */
  readonly messages: Messages;
  /** Sends a message; throws a `HostError` if it can't arrive any more. */
  send(message: HostMessage): void;
  /** A promise while the agent reads more slowly than we write. */
  readonly room: Promise<void> | undefined;
  /** Asks the agent; rejects with a `HostError` that says whether it refused, was late, or went away. */
  request<S extends keyof Asks & string>(
    subtype: S,
    params: RequestOf<Asks, S>,
    options?: RequestOptions,
  ): Promise<ResponseOf<Asks, S>>;
  /** Resolves when no turn, task, question, hook or MCP call is open: from then on input can be ended without harm. */
  settled(): Promise<void>;
  /** Ends the agent's input at once; it finishes what it has begun, but can't ask any more. */
  endInput(): void;
  /** Resolves, never rejects, when the process is gone and all it wrote was read. */
  readonly ended: Promise<Ending>;
  /** Stops the agent: end of input, TERM, KILL, of its whole process group. */
  close(): Promise<Ending>;
  /** Lets the agent finish: ends its input once nothing open needs it, and waits for its exit. */
  drain(): Promise<Ending>;
}

/** Starts an agent and connects to it. Never throws: a program that can't be started is an ending like any other. */
export function openLink(launch: Launch, handlers: Handlers<typeof agentRequests>): Link {
  return new AgentLink(launch, handlers);
}
