import type { LogLevel } from "../log.ts";
import { type AgentName, CLAUDE_CODE } from "./agent-name.ts";
import type { CompatibilityLevel } from "./level.ts";
import { OUR_PROGRAM } from "./matrix.ts";

/** Something worth telling people, for the owner to log. */
export interface DegradationNotice {
  readonly logLevel: LogLevel;
  readonly text: string;
}

/** What to do about a known message that could not be read. */
export interface ParseFailure {
  readonly action: "fail_session" | "skip";
  readonly notice: DegradationNotice;
}

/** The part of an init message that tells whether critical features are there. */
export interface OfferedTools {
  readonly tools: readonly string[];
  readonly tool_definitions?: readonly { readonly name: string; readonly input_schema?: unknown }[];
}

/** A snapshot for health and metrics; the keys are the metrics' names. */
export interface DegradationCounters {
  readonly unknown_types: number;
  readonly unknown_type_names: readonly string[];
  readonly parse_errors_tolerated: number;
  readonly parse_errors_fatal: number;
  readonly missing_features: readonly string[];
}

const UNKNOWN_TYPES_WARNED = 10;
const MAX_NAMES = 100;
/** How many of the names are told in a sentence. */
const MAX_SHOWN = 5;
const MAX_NAME_CHARS = 64;

/** Counts what goes wrong with a running agent, in three levels (unknown types, parse failures, missing features); it reports, the owner logs. */
export class Degradation {
  readonly #probed: CompatibilityLevel;
  readonly #agent: AgentName;
  readonly #unknownNames = new Set<string>();
  #unknownTypes = 0;
  #tolerated = 0;
  #fatal = 0;
  #missing: readonly string[] = [];

  /** `probed` is the level found at start: failures are fatal to a session only within the tested range. */
  constructor(probed: CompatibilityLevel, agent: AgentName = CLAUDE_CODE) {
    this.#probed = probed;
    this.#agent = agent;
  }

  /** Level 1: counts a message of unknown type; the tenth gives the one warning. */
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

  /** Level 3: looks for critical features; a warning comes only when what is missing has changed. */
  checkFeatures(offered: OfferedTools): DegradationNotice | undefined {
    const missing = missingFeatures(offered);
    const unchanged = missing.join() === this.#missing.join();
    this.#missing = missing;
    if (unchanged || missing.length === 0) return undefined;
    return { logLevel: "warn", text: `Missing expected features: ${JSON.stringify(missing)}` };
  }

  /** The level in force: the probed one, lowered by what has happened since. */
  level(): CompatibilityLevel {
    if (this.#probed === "INCOMPATIBLE") return this.#probed;
    return this.reasons().length > 0 ? "DEGRADED" : this.#probed;
  }

  /** What has lowered the level, in words. */
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

  /** The counters as they stand. */
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

/** The critical features an agent does not offer; tools listed by name alone, as today, are not a lack of schemas. */
export function missingFeatures({
  tools,
  tool_definitions: definitions = [],
}: OfferedTools): readonly string[] {
  const hasBash = tools.includes("Bash") || definitions.some(({ name }) => name === "Bash");
  const lacksSchemas = definitions.length > 0 && definitions.every((tool) => tool.input_schema == null);
  return [...(hasBash ? [] : ["Bash tool"]), ...(lacksSchemas ? ["Tool input schemas"] : [])];
}

// A plain slice would keep the foreign string alive, however long; the copy does not.
function shortName(type: string): string {
  return type.length <= MAX_NAME_CHARS ? type : `${Buffer.from(type.slice(0, MAX_NAME_CHARS)).toString()}…`;
}
