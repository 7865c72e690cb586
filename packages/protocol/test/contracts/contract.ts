import type { Dialect } from "../../src/dialect/dialect.ts";
import type { JsonObject } from "../../src/json.ts";
import type { AgentMessage, HostMessage } from "../../src/message.ts";
import type { Wire } from "./wire.ts";

/** What both ends exchanged before the lines of a fixture. */
export interface Past {
  readonly hostSaid?: readonly HostMessage[];
  readonly agentHeard?: readonly JsonObject[];
  readonly agentSaid?: readonly AgentMessage[];
}

/** The meaning of a fixture, and how it is written again. */
export interface Contract {
  readonly file: string;
  readonly from: "host" | "agent";
  /** Wraps a fixture that is only part of a line into a line. */
  readonly inside?: (part: JsonObject) => JsonObject;
  readonly before?: Past;
  /** The relevant parts of the canonical messages it is read as, in order. */
  readonly becomes: readonly JsonObject[];
  /** Further checks on those messages. */
  readonly holds?: (messages: readonly (AgentMessage | HostMessage)[]) => void;
  /** How the lines differ when the canonical messages are written again; not at all by default. */
  readonly again?: readonly string[];
  /** Why the canonical messages are not written as these lines again, if they aren't. */
  readonly oneWay?: string;
  /** A message that makes the agent's end write a line it holds back. */
  readonly closing?: AgentMessage;
}

/** A complete talk, run through both ends. */
export interface Talk {
  readonly file: string;
  readonly steps: readonly ((wire: Wire) => void)[];
  /** The messages that the agent's end reads. */
  readonly agentHears: readonly JsonObject[];
  /** The messages that the host's end reads. */
  readonly hostHears: readonly JsonObject[];
  /** How the lines differ from the fixture's, by line number. */
  readonly differs?: readonly string[];
}

/** All contracts of one folder of fixtures. */
export interface Table {
  readonly folder: string;
  readonly dialect: Dialect;
  readonly contracts: readonly Contract[];
  readonly talks: readonly Talk[];
}
