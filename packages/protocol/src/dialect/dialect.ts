import type { VersionRange } from "../compatibility/version.ts";
import type { JsonObject } from "../json.ts";
import type { Sink } from "../lines/decode.ts";
import type { Malformed } from "../lines/malformed.ts";
import type { AgentMessage, HostMessage } from "../message.ts";

/** The spellings of the wire that are supported. */
export type DialectName = "claude" | "claude-v1" | "miriad" | "jsonrpc" | "dart" | "acp";

/** What to do with a message of an unknown type: pass it on raw, skip it with a log line, or end the session. */
export type UnknownHandling = "pass_on" | "log_and_skip" | "fatal";

/**
 * One spelling of the wire. All dialects meet in the canonical messages, so a program that speaks one speaks
 * all. What a dialect has to remember between lines is kept in the translation opened for each connection.
 */
export interface Dialect {
  readonly name: DialectName;
  /** The agent versions that speak it, if the dialect depends on the version. */
  readonly versions?: VersionRange;
  readonly unknown: UnknownHandling;
  /** The translation for a host program: reads the agent's lines, writes lines for the agent. */
  forHost(): Translation<AgentMessage, HostMessage>;
  /** The translation for an agent program: reads the host's lines, writes lines for the host. */
  forAgent(): Translation<HostMessage, AgentMessage>;
}

/** One end of one connection, in one dialect. */
export interface Translation<In, Out> {
  /** Reads a line's object; delivers the canonical messages it stands for, however many. */
  decode(value: JsonObject, sink: Sink<In>): void;
  /** Reads a line that is a list, if the dialect has a meaning for that; false if it has none, as for an empty list. */
  decodeList?(values: readonly unknown[], sink: Sink<In>): boolean;
  /**
   * The values to write for a canonical message, one per line; none if the dialect can't express it. A
   * request that the peer can't be sent in this dialect is answered here, through the sink.
   */
  encode(message: Out, sink: Sink<In>): readonly unknown[];
  /** The values to write back for a line that could not be read, if the dialect has an error for that. */
  refuse?(fault: Malformed): readonly unknown[];
}
