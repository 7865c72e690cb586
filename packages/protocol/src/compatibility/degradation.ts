import type { LogLevel } from "../log.ts";
import { type AgentName, CLAUDE_CODE } from "./agent-name.ts";
import type { CompatibilityLevel } from "./level.ts";
import { OUR_PROGRAM } from "./matrix.ts";

/** Something worth reporting, for the owner to log. */
export interface DegradationNotice {
  readonly logLevel: LogLevel;
  readonly text: string;
}

/** What to do about a known message that could not be read. */
export interface ParseFailure {
  readonly action: "fail_session" | "skip";
  readonly notice: DegradationNotice;
}

/** The part of an init message that shows whether critical features are present. */
export interface OfferedTools {
  readonly tools: readonly string[];
  readonly tool_definitions?: readonly { readonly name: string; readonly input_schema?: unknown }[];
}

/** A snapshot for health checks and metrics; the keys are the metrics' names. */
export interface DegradationCounters {
  readonly unknown_types: number;
  readonly unknown_type_names: readonly string[];
  readonly parse_errors_tolerated: number;
  readonly parse_errors_fatal: number;
  readonly missing_features: readonly string[];
}

const UNKNOWN_TYPES_WARNED = 10;
const MAX_NAMES = 100;
/** How many names to list in a sentence. */
const MAX_SHOWN = 5;
const MAX_NAME_CHARS = 64;

/**
 * Counts what goes wrong with a running agent, in three levels (unknown types, parse failures, missing
 * features). It only reports; the owner logs.
 */
export class Degradation {
  readonly #probed: CompatibilityLevel;
  readonly #agent: AgentName;
  readonly #unknownNames = new Set<string>();
  #unknownTypes = 0;
  #tolerated = 0;
  #fatal = 0;
  #missing: readonly string[] = [];

  /** `probed` is the level found at startup: failures are fatal to a session only within the tested range. */
  constructor(probed: CompatibilityLevel, agent: AgentName = CLAUDE_CODE) {
    this.#probed = probed;
    this.#agent = agent;
  }

  /** Level 1: counts a message of unknown type; the tenth causes the only warning. */
  recordUnknownType(type: string): DegradationNotice | undefined {
    this.#unknownTypes += 1;
    if (this.#unknownNames.size < MAX_NAMES) this.#unknownNames.add(shortName(type));
    if (this.#unknownTypes !== UNKNOWN_TYPES_WARNED) return undefined;
    return {
      logLevel: "warn",
      text:
        `Received ${UNKNOWN_TYPES_WARNED}+ unknown message types: ${JSON.stringify([...this.#unknownNames])}. ` +
        `${this.#agent.title} may have updated. Consider upgrading ${OUR_PROGRAM}.`,
    };
  }

  /** Level 2: a message of known type could not be read. */
  recordParseFailure(type: string, reason: string): ParseFailure {
    const name = shortName(type);
    if (this.#probed === "FULLY_COMPATIBLE") {
      this.#fatal += 1;
      return {
        action: "fail_session",
        notice: { logLevel: "error", text: `Parse error for known type '${name}': ${reason}` },
      };
    }
    this.#tolerated += 1;
    const why = `Running in tolerant mode due to untested ${this.#agent.title} version.`;
    return {
      action: "skip",
      notice: { logLevel: "error", text: `Failed to parse '${name}': ${reason}. ${why}` },
    };
  }

  /** Level 3: checks for critical features; warns only when the set of missing features has changed. */
  checkFeatures(offered: OfferedTools): DegradationNotice | undefined {
    const missing = missingFeatures(offered);
    const unchanged = missing.join() === this.#missing.join();
    this.#missing = missing;
    if (unchanged || missing.length === 0) return undefined;
    return { logLevel: "warn", text: `Missing expected features: ${JSON.stringify(missing)}` };
  }

  /** The current level: the probed one, lowered by what has happened since. */
  level(): CompatibilityLevel {
    if (this.#probed === "INCOMPATIBLE") return this.#probed;
    return this.reasons().length > 0 ? "DEGRADED" : this.#probed;
  }

  /** The reasons why the level was lowered, as text. */
  reasons(): readonly string[] {
    const unread = this.#tolerated + this.#fatal;
    return [
      ...(this.#missing.length > 0 ? [`missing: ${this.#missing.join(", ")}`] : []),
      ...(this.#unknownTypes >= UNKNOWN_TYPES_WARNED
        ? [
            `${this.#unknownTypes} messages of unknown types: ${[...this.#unknownNames].slice(0, MAX_SHOWN).join(", ")}`,
          ]
        : []),
      ...(unread > 0 ? [`${unread} messages that could not be read`] : []),
    ];
  }

  /** The current values of the counters. */
  counters(): DegradationCounters {
    return {
      unknown_types: this.#unknownTypes,
      unknown_type_names: [...this.#unknownNames],
      parse_errors_tolerated: this.#tolerated,
      parse_errors_fatal: this.#fatal,
      missing_features: this.#missing,
    };
  }
}

/**
 * The critical features that an agent does not offer. Tools listed by name alone, as is usual today, don't
 * count as lacking schemas.
 */
export function missingFeatures({
  tools,
  tool_definitions: definitions = [],
}: OfferedTools): readonly string[] {
  const hasBash = tools.includes("Bash") || definitions.some(({ name }) => name === "Bash");
  const lacksSchemas = definitions.length > 0 && definitions.every((tool) => tool.input_schema == null);
  return [...(hasBash ? [] : ["Bash tool"]), ...(lacksSchemas ? ["Tool input schemas"] : [])];
}

// A plain slice would keep the peer's whole string alive, however long; a copy does not.
function shortName(type: string): string {
  return type.length <= MAX_NAME_CHARS ? type : `${Buffer.from(type.slice(0, MAX_NAME_CHARS)).toString()}…`;
}
