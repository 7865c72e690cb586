import type { Script } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import type { AgentDriver } from "../agent-driver/driver.ts";
import type { Sandbox } from "../agent-driver/sandbox.ts";
import type { RequestLog } from "../scripted-api/requests.ts";

/** One conversation with an agent, which was recorded with the official agent. */
export interface Scenario extends Script {
  /** Also the name of its recording. */
  readonly name: string;
  readonly about: string;
  /** Flags in addition to those for every agent. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Files of the project, by their relative paths. */
  readonly files?: Readonly<Record<string, string>>;
  /** Prepares what `files` can't, before the agent is started. */
  readonly prepare?: (project: Sandbox) => Promise<void>;
  /** The host's side of the conversation; it returns the facts it finds outside the wire. */
  readonly flow: (stage: Stage) => Promise<JsonObject | undefined>;
  readonly expect?: Expectation;
  /** The time limit, if it is longer than usual. */
  readonly limitMs?: number;
  /** Takes about a minute or more. */
  readonly slow?: true;
}

/** What is expected of the official agent besides the lines it writes. */
export interface Expectation {
  /** The exit code of each process; a single 0 by default. */
  readonly exits?: readonly number[];
  /** What the flow must return. */
  readonly facts?: JsonObject;
  /** Whether stderr must state a reason. */
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
  /** Programs that scenarios of this theme require. */
  readonly needs?: readonly string[];
  readonly scenarios: readonly Scenario[];
}
