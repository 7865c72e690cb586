import type { VersionRange } from "../compatibility/version.ts";
import type { JsonObject } from "../json.ts";
import type { Sink } from "../lines/decode.ts";
import type { Malformed } from "../lines/malformed.ts";
import type { AgentMessage, HostMessage } from "../message.ts";

/** The spellings of the wire that we speak. */
export type DialectName = "claude" | "claude-v1" | "miriad" | "jsonrpc" | "dart" | "acp";

/** What becomes of a message of an unknown type: passed on raw, skipped with a log line, or the end of the session. */
export type UnknownHandling = "pass_on" | "log_and_skip" | "fatal";

/**
 * One spelling of the wire. All of them meet in the canonical messages, so a program that speaks one speaks all; what a spelling has to
 * remember between lines lives in the translation that is opened for one connection.
 */
export interface Dialect {
  readonly name: DialectName;
  /** The agent versions that speak it, where the dialect is one of versions. */
  readonly versions?: VersionRange;
  readonly unknown: UnknownHandling;
  /** The translation for a program that is the host: reads what the agent wrote, writes for the agent. */
  forHost(): Translation<AgentMessage, HostMessage>;
  /** The translation for a program that is the agent: reads what the host wrote, writes for the host. */
  forAgent(): Translation<HostMessage, AgentMessage>;
}

/** One end of one connection, in one dialect. */
export interface Translation<In, Out> {
  /** Reads a line's object; delivers as many canonical messages as it stands for. */
  decode(value: JsonObject, sink: Sink<In>): void;
  /** Reads a line that is a list, where the dialect has a word for that; false if it says nothing, as an empty one. */
  decodeList?(values: readonly unknown[], sink: Sink<In>): boolean;
  /**
   * The values to write, one per line, for a canonical message; none where the dialect has no word for it. What the peer can't
   * be asked in this dialect is answered here, through the sink.
   */
  encode(message: Out, sink: Sink<In>): readonly unknown[];
  /** The values to write back for a line that could not be read, where the dialect has a word for that. */
  refuse?(fault: Malformed): readonly unknown[];
}
