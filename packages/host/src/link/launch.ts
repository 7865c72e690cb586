import type { AgentMessage, Line, Malformed } from "@agentwire/protocol";
import type { Version } from "@agentwire/protocol/compatibility";
import type { DialectName } from "@agentwire/protocol/dialect";
import type { Log } from "@agentwire/protocol/support";
import type { Start } from "../process/start.ts";
import type { Deadlines } from "./deadlines.ts";
import type { Said } from "./link.ts";

/** The longest line that is taken where nobody says otherwise. */
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
  readonly take?: (message: Said, line: string | undefined) => Promise<void> | undefined;
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
