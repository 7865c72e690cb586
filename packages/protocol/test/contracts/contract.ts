import type { Dialect } from "../../src/dialect/dialect.ts";
import type { JsonObject } from "../../src/json.ts";
import type { AgentMessage, HostMessage } from "../../src/message.ts";
import type { Wire } from "./wire.ts";

/** What both ends went through before the lines of a fixture. */
export interface Past {
  readonly hostSaid?: readonly HostMessage[];
  readonly agentHeard?: readonly JsonObject[];
  readonly agentSaid?: readonly AgentMessage[];
}

/** What a fixture means, and how it is written again. */
export interface Contract {
  readonly file: string;
  readonly from: "host" | "agent";
  /** Puts a fixture that is only part of a line into a line. */
  readonly inside?: (part: JsonObject) => JsonObject;
  readonly before?: Past;
  /** What matters of the canonical messages it is read as, in order. */
  readonly becomes: readonly JsonObject[];
  /** What else holds for those messages. */
  readonly holds?: (messages: readonly (AgentMessage | HostMessage)[]) => void;
  /** How the lines differ when the canonical messages are written again; none unless said. */
  readonly again?: readonly string[];
  /** Why the canonical messages are not written as these lines again, where that is so. */
  readonly oneWay?: string;
  /** What makes the agent's end write a line that it holds back. */
  readonly closing?: AgentMessage;
}

/** A whole talk, run over both ends. */
export interface Talk {
  readonly file: string;
  readonly steps: readonly ((wire: Wire) => void)[];
  /** What the agent's end reads. */
  readonly agentHears: readonly JsonObject[];
  /** What the host's end reads. */
  readonly hostHears: readonly JsonObject[];
  /** How the lines differ from the fixture's, by the number of the line. */
  readonly differs?: readonly string[];
}

/** All contracts of one folder of fixtures. */
export interface Table {
  readonly folder: string;
  readonly dialect: Dialect;
  readonly contracts: readonly Contract[];
  readonly talks: readonly Talk[];
}
