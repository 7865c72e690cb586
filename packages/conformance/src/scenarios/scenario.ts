import type { Script } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import type { AgentDriver } from "../agent-driver/driver.ts";
import type { Sandbox } from "../agent-driver/sandbox.ts";
import type { RequestLog } from "../scripted-api/requests.ts";

/** One conversation with an agent, of which there is a recording with the official one. */
export interface Scenario extends Script {
  /** Also the name of its recording. */
  readonly name: string;
  readonly about: string;
  /** Flags behind those that every agent gets. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Files of the project, by their path in it. */
  readonly files?: Readonly<Record<string, string>>;
  /** Lays out what `files` can't, before the agent is started. */
  readonly prepare?: (project: Sandbox) => Promise<void>;
  /** The host's side of the conversation; what it finds out beside the wire, it returns. */
  readonly flow: (stage: Stage) => Promise<JsonObject | undefined>;
  readonly expect?: Expectation;
  /** How long it may take, where that is more than usual. */
  readonly limitMs?: number;
  /** Takes most of a minute or more. */
  readonly slow?: true;
}

/** What is true of the official agent beside the lines it writes. */
export interface Expectation {
  /** The exit code of each process; a single 0 unless given. */
  readonly exits?: readonly number[];
  /** What the flow must return. */
  readonly facts?: JsonObject;
  /** A reason is given on stderr. */
  readonly stderr?: true;
}

/** Everything a flow can reach. */
export interface Stage {
  readonly agent: AgentDriver;
  readonly api: RequestLog;
  readonly project: Sandbox;
}

/** Scenarios about one subject. */
export interface Theme {
  readonly name: string;
  /** Programs without which no agent could play them. */
  readonly needs?: readonly string[];
  readonly scenarios: readonly Scenario[];
}
