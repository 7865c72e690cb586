import type { AgentMessage, HostMessage, Line, Malformed } from "@agentwire/protocol";
import type { Version } from "@agentwire/protocol/compatibility";
import type {
  ControlCancelRequest,
  ControlRequest,
  ControlResponse,
  hostRequests,
  RequestOf,
  ResponseOf,
} from "@agentwire/protocol/control";
import type { DialectName } from "@agentwire/protocol/dialect";
import type { Log } from "@agentwire/protocol/support";
import type { Deadlines } from "../deadlines.ts";
import type { HostError, ProcessFacts } from "../errors.ts";
import type { Start } from "../process/start.ts";

/** The default limit for the length of a line. */
export const DEFAULT_MAX_LINE_BYTES = 134_217_728;

/** What it takes to start an agent and to talk with it. */
export interface Launch extends Start {
  /** How the agent spells the wire; the official way of today unless said otherwise. */
  readonly dialect?: DialectName;
  /** What the agent is known to be: it is not sent what would end it. */
  readonly version?: Version;
  readonly deadlines?: Partial<Deadlines>;
  /** The longest line that is taken, 128 MiB unless said otherwise; a longer one ends the link, unless `onMalformed` decides. */
  readonly maxLineBytes?: number;
  /**
   * Takes each message as it comes, with the line it came in, in place of `messages`: in order with what the agent asks and with lines
   * that are no messages. The agent is made to wait while a promise of it is open; a throw ends the link.
   */
  readonly take?: (message: AgentOutputMessage, line: string | undefined) => Promise<void> | undefined;
  /** Told of each message with the line it came in, before anyone takes it; a throw ends the link. */
  readonly onMessage?: (message: AgentMessage, line: string | undefined) => void;
  /** Told of each line that is not a message, which is then passed over; a throw ends the link. */
  readonly onMalformed?: (fault: Malformed, line: Line) => void;
  /** A file to which every line of both directions is written, as it is on the wire, secrets included. */
  readonly record?: string;
  readonly log?: Log;
  /** Closes the link when it fires; everything open then ends with `aborted`. */
  readonly signal?: AbortSignal;
}

/** Everything an agent says beside requests and answers. */
export type AgentOutputMessage = Exclude<
  AgentMessage,
  ControlRequest | ControlResponse | ControlCancelRequest
>;

/** The unread messages of an agent, for one reader; nothing is lost before it starts. */
export interface Messages extends AsyncIterable<AgentOutputMessage> {
  /** The next message if it is there: a reader that is behind needs no promise for each. */
  take(): AgentOutputMessage | undefined;
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
