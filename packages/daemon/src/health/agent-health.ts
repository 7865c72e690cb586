import type { ExaminedAgent } from "@agentwire/host/agent";
import {
  type CompatibilityLevel,
  type CompatibilityVerdict,
  Degradation,
  type DegradationNotice,
  newCapabilities,
  printNotice,
  printVersion,
  supports,
} from "@agentwire/protocol/compatibility";
import type { ModelInfo } from "@agentwire/protocol/control";
import { DIALECTS, type UnknownHandling } from "@agentwire/protocol/dialect";
import type { Log } from "@agentwire/protocol/support";

/** What was found at an agent's path; absent if there is no agent. */
export interface Finding {
  readonly agent?: ExaminedAgent;
  readonly verdict: CompatibilityVerdict;
}

/** More models than an agent offers. */
const MAX_MODELS = 100;

/** The state of one agent: what was found, and what has gone wrong since. */
export class AgentHealth {
  readonly name: string;
  readonly #log: Log;
  readonly #onChange: () => void;
  #finding: Finding | undefined;
  #degradation = new Degradation("UNKNOWN");
  #level: CompatibilityLevel = "UNKNOWN";
  #truncated = 0;
  #noise = 0;
  /** What its sessions have announced that is new. */
  #newFeatures: readonly string[] | undefined;
  /** The version that its sessions name, where it is another one. */
  #otherVersion = "";
  /** Why its sandbox last ended one of its processes. */
  #limited = "";
  /** The models that it offers, as it said when it was last started. */
  #models: readonly ModelInfo[] = [];
  /** Whether it says what becomes of prompts, once that has been seen. */
  #tells: boolean | undefined;

  constructor(name: string, log: Log, onChange: () => void = () => {}) {
    this.name = name;
    this.#log = log;
    this.#onChange = onChange;
  }

  get finding(): Finding | undefined {
    return this.#finding;
  }

  /** Takes in what was found; changes are reported, and counters are reset for another version. */
  found(finding: Finding): void {
    const { verdict } = finding;
    const isNews = this.#finding?.verdict.message !== verdict.message;
    this.#finding = finding;
    if (!isNews) return;
    this.#degradation = new Degradation(verdict.level);
    this.#otherVersion = "";
    this.#limited = "";
    this.#newFeatures = undefined;
    this.#log[verdict.logLevel](verdict.message, { agent: this.name, path: finding.agent?.path ?? "" });
    if (verdict.notice) this.#log.warn(this.notice, { agent: this.name });
    this.#level = this.#degradation.level();
    this.#onChange();
  }

  /** Its own models; none before it has been started once. */
  get models(): readonly ModelInfo[] {
    return this.#models;
  }

  /** It has said which models it offers. */
  offers(models: readonly ModelInfo[]): void {
    this.#models = models.slice(0, MAX_MODELS);
  }

  /** Whether sessions can be run with it, as far as one can tell. */
  get isUsable(): boolean {
    return this.#level !== "INCOMPATIBLE" && this.#finding?.verdict.hasFailed !== true;
  }

  /** How far it was trusted before anything happened. */
  get probedLevel(): CompatibilityLevel {
    return this.#finding?.verdict.level ?? "UNKNOWN";
  }

  get level(): CompatibilityLevel {
    return this.#level;
  }

  /** Its state in one sentence. */
  get message(): string {
    const said = `${this.#withDegradation()}${this.#limited === "" ? "" : `; last limit: ${this.#limited}`}`;
    return this.#otherVersion === "" ? said : `${said}, but its sessions say v${this.#otherVersion}`;
  }

  get notice(): string {
    const notice = this.#finding?.verdict.notice;
    return notice ? printNotice({ ...notice, newFeatures: this.#newFeatures ?? notice.newFeatures }) : "";
  }

  /** The capabilities that a running agent reports; shown where people are told what is new about it. */
  announced(capabilities: readonly string[]): void {
    const isNews = this.#newFeatures === undefined;
    this.#newFeatures = newCapabilities(capabilities);
    if (isNews && this.#finding?.verdict.notice) this.#log.warn(this.notice, { agent: this.name });
  }

  get truncated(): number {
    return this.#truncated;
  }

  /** How many lines were no messages at all. */
  get noise(): number {
    return this.#noise;
  }

  get counters() {
    return this.#degradation.counters();
  }

  /** What happens to unknown messages. */
  get unknown(): UnknownHandling {
    return DIALECTS[this.#finding?.agent?.dialect ?? "claude"].unknown;
  }

  /**
   * Whether it says what becomes of each prompt, and knows one again that an earlier process had: the two came with the same
   * release. What it has done counts most; before that its version does, if its greeting is that of such a release.
   */
  followsPrompts(greeting: { readonly claude_code_version?: unknown } | undefined): boolean {
    const isLikely = supports(this.#finding?.agent?.version, undefined, "message_lifecycle");
    return this.#tells ?? (isLikely && greeting?.claude_code_version !== undefined);
  }

  /** It has said what becomes of a prompt, or has begun a turn without. */
  tells(isTold: boolean): void {
    this.#tells = isTold;
  }

  /** Its sandbox has ended a process for this reason. */
  limited(reason: string): void {
    this.#limited = reason;
    this.#onChange();
  }

  /** Counts for all sessions together; each kind is reported once. */
  record(count: (degradation: Degradation) => DegradationNotice | undefined): void {
    const notice = count(this.#degradation);
    if (notice) this.tell(notice);
    this.#changed();
  }

  cut(): void {
    this.#truncated++;
  }

  heardNoise(): void {
    this.#noise++;
  }

  /** The version that a running agent says it has: a file may have changed, or be a wrapper around another. */
  said(version: string): void {
    const known = this.#finding?.agent?.version;
    if (!known || version === "" || version === printVersion(known) || version === this.#otherVersion) return;
    this.#otherVersion = version.slice(0, MAX_VERSION_CHARS);
    this.#log.warn(this.message, { agent: this.name });
    this.#onChange();
  }

  tell({ logLevel, text }: DegradationNotice, sessionId?: string): void {
    this.#log[logLevel](text, {
      agent: this.name,
      ...(sessionId !== undefined && { session_id: sessionId }),
    });
  }

  #withDegradation(): string {
    const { message = "", detected } = this.#finding?.verdict ?? {};
    if (this.#level !== "DEGRADED") return message;
    const what = this.probedLevel === "FULLY_COMPATIBLE" ? `${detected} detected` : message;
    return `${what} (degraded: ${this.#degradation.reasons().join("; ")})`;
  }

  #changed(): void {
    const level = this.#degradation.level();
    if (level === this.#level) return;
    this.#level = level;
    this.#onChange();
  }
}

const MAX_VERSION_CHARS = 64;
