import { type Line, Malformed, parseLine } from "@agentwire/protocol";
import {
  type CompatibilityLevel,
  capabilitiesOf,
  Degradation,
  type DegradationCounters,
  type DegradationNotice,
  deprecationsFor,
  type ObservedFact,
} from "@agentwire/protocol/compatibility";
import type { InitMessage } from "@agentwire/protocol/messages";
import type { AgentHealth } from "../health/agent-health.ts";
import type { ToolQuestion } from "../permission/question.ts";
import type { Draft } from "../store/draft.ts";
import type { Fault } from "./agent-run.ts";

/** Counts of what one session received and could not understand. */
export interface FaultCounts extends DegradationCounters {
  readonly truncated: number;
  /** Lines that are not messages. */
  readonly noise: number;
}

/** How much of one process's faults is logged. */
const MAX_TOLD = 50;

/** Watches an agent's output for what can't be understood: counts it, and says when to stop. */
export class FaultMonitor {
  readonly #sessionId: string;
  #agent: AgentHealth | undefined;
  #level: CompatibilityLevel = "UNKNOWN";
  #own = new Degradation("UNKNOWN");
  #truncated = 0;
  #noise = 0;
  #told = 0;
  readonly #observed = new Set<ObservedFact>();

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  get troubles(): FaultCounts {
    return { ...this.#own.counters(), truncated: this.#truncated, noise: this.#noise };
  }

  /** A process starts: another version is judged again, and clients learn which guarantees it can't give. */
  begin(agent: AgentHealth, shortfall: string | undefined): readonly Draft[] {
    if (this.#agent !== agent || this.#level !== agent.probedLevel)
      this.#own = new Degradation(agent.probedLevel);
    this.#agent = agent;
    this.#level = agent.probedLevel;
    this.#observed.clear();
    this.#told = 0;
    if (shortfall === undefined) return [];
    this.#warn(shortfall);
    return [{ body: { case: "deprecation", value: { id: "rules", message: shortfall } } }];
  }

  /** A message of an unknown type has arrived; returns whether clients get it anyway. */
  unknown(type: string): boolean {
    this.#record((degradation) => degradation.recordUnknownType(type));
    const { unknown_types: count } = this.#own.counters();
    this.#warn(`a message of the unknown type '${type.slice(0, 64)}', ${count} of unknown types so far`);
    return this.#agent?.unknown !== "log_and_skip";
  }

  /** A line could not be read; returns the reason if the session must not continue without it. */
  unreadable({ fault: { code, reason }, line }: Fault): string | undefined {
    // A line without a type is most likely printed by a library, not a lost message.
    if (code !== "unreadable") {
      this.#noise++;
      this.#agent?.heardNoise();
      this.#warn(`a line that is not a message: ${reason}, ${this.#noise} such lines so far`);
      return undefined;
    }
    const type = typeOf(line);
    const { action, notice } = this.#own.recordParseFailure(type, reason);
    this.#agent?.record((degradation) => void degradation.recordParseFailure(type, reason));
    this.#tell(notice);
    return action === "fail_session" ? notice.text : undefined;
  }

  /** The agent has reported its version. */
  begun(init: InitMessage): void {
    this.#record((degradation) => degradation.checkFeatures(init));
    this.#agent?.said(init.claude_code_version);
    const capabilities = capabilitiesOf(init);
    if (capabilities) this.#agent?.announced(capabilities);
  }

  /** Something was too long to be stored completely. */
  cut(what: string, bytes: number): void {
    this.#truncated++;
    this.#agent?.cut();
    this.#warn(`${what} of ${bytes} bytes was truncated: it is too long to store whole`);
  }

  /** The notice for clients about an outdated form of question. */
  asked({ tool_use_id: toolUseId }: ToolQuestion): readonly Draft[] {
    // Questions of the 1.x wire lack the id; current ones name their call.
    if (toolUseId !== "" || this.#observed.has("legacy_permission_format")) return [];
    this.#observed.add("legacy_permission_format");
    return deprecationsFor(this.#agent?.finding?.agent?.version, this.#observed).map(
      ({ when, message }): Draft => {
        this.#warn(message);
        return { body: { case: "deprecation", value: { id: when, message } } };
      },
    );
  }

  #record(count: (degradation: Degradation) => DegradationNotice | undefined): void {
    const notice = count(this.#own);
    if (notice) this.#tell(notice);
    this.#agent?.record(count);
  }

  #warn(text: string): void {
    this.#tell({ logLevel: "warn", text });
  }

  /** An agent's output must not fill the log. */
  #tell(notice: DegradationNotice): void {
    if (++this.#told > MAX_TOLD) return;
    this.#agent?.tell(notice, this.#sessionId);
    if (this.#told === MAX_TOLD)
      this.#agent?.tell({ logLevel: "warn", text: "the rest is counted, not logged" }, this.#sessionId);
  }
}

/** The type of a message that can't be read otherwise. */
function typeOf(line: Line): string {
  const message = parseLine(line);
  return !(message instanceof Malformed) && typeof message.type === "string" ? message.type : "unknown";
}
