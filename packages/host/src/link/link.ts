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

/** Everything needed to start an agent and talk to it. */
export interface Launch extends Start {
  /** The dialect that the agent speaks; the official one by default. */
  readonly dialect?: DialectName;
  /** The known version of the agent, so that it is not sent a line that would end it. */
  readonly version?: Version;
  readonly deadlines?: Partial<Deadlines>;
  /** The longest line accepted, 128 MiB by default; a longer one ends the link, unless `onMalformed` decides. */
  readonly maxLineBytes?: number;
  /**
   * Receives each message with its line as it arrives, in place of `messages`: in order with the agent's requests and with lines
   * that are not messages. The agent is held back until the returned promise resolves; a throw ends the link.
   */
  readonly take?: (message: AgentOutputMessage, line: string | undefined) => Promise<void> | undefined;
  /** Called for each message with its line, before anyone else receives it; a throw ends the link. */
  readonly onMessage?: (message: AgentMessage, line: string | undefined) => void;
  /** Called for each line that is not a message, which is then skipped; a throw ends the link. */
  readonly onMalformed?: (fault: Malformed, line: Line) => void;
  /** A file to which every line of both directions is written exactly as on the wire, secrets included. */
  readonly record?: string;
  readonly log?: Log;
  /** Closes the link when it fires; everything open is then rejected with `aborted`. */
  readonly signal?: AbortSignal;
}

/** Everything an agent sends except requests and answers. */
export type AgentOutputMessage = Exclude<
  AgentMessage,
  ControlRequest | ControlResponse | ControlCancelRequest
>;

/** The unread messages of an agent, for one reader; messages that arrive before it starts reading are kept. */
export interface Messages extends AsyncIterable<AgentOutputMessage> {
  /** The next message if one has arrived: a reader that lags behind needs no promise for each. */
  take(): AgentOutputMessage | undefined;
  /** Resolves with true when there is a message to take, and with false when none will ever come. */
  ready(): Promise<boolean>;
}

/** How a link ended. */
export interface Ending extends ProcessFacts {
  /** Whether the last result was a failure: agents then exit with 1 although they worked as intended. */
  readonly lastTurnFailed: boolean;
  /** Why it ended unexpectedly; undefined after an exit with 0, and after `close`. */
  readonly error?: HostError;
}

/** The options of one control request. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** In place of `deadlines.requestMs`; `Infinity` waits for as long as the agent lives. */
  readonly deadlineMs?: number | undefined;
  /** False if the agent's input need not stay open for the answer. */
  readonly holdsInput?: boolean | undefined;
}

type Asks = typeof hostRequests;

/** One running agent: its process, its connection and its end. */
export interface Link extends AsyncDisposable {
  /** Undefined until it has started, and for an agent that runs elsewhere. */
  readonly pid: number | undefined;
  /** Ends without an error when the agent's output does; `ended` gives the reason. */
  readonly messages: Messages;
  /** Sends a message; throws a `HostError` if it can no longer arrive. */
  send(message: HostMessage): void;
  /** A promise that is there while the agent reads more slowly than the host writes. */
  readonly room: Promise<void> | undefined;
  /** Sends a request to the agent; rejects with a `HostError` if the agent refused, was late, or went away. */
  request<S extends keyof Asks & string>(
    subtype: S,
    params: RequestOf<Asks, S>,
    options?: RequestOptions,
  ): Promise<ResponseOf<Asks, S>>;
  /** Resolves when no turn, task, question, hook or MCP call is open: the input can then be ended safely. */
  settled(): Promise<void>;
  /** Ends the agent's input at once; the agent finishes what it has begun, but can't ask the host any more. */
  endInput(): void;
  /** Resolves, never rejects, when the process is gone and all its output was read. */
  readonly ended: Promise<Ending>;
  /** Stops the agent: end of input, TERM, KILL, of its whole process group. */
  close(): Promise<Ending>;
  /** Lets the agent finish: ends its input once nothing open needs it, and waits for its exit. */
  drain(): Promise<Ending>;
}
