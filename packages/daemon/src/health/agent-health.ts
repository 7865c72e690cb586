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

/** The result of examining an agent; `agent` is absent if none was found. */
export interface Finding {
  readonly agent?: ExaminedAgent;
  readonly verdict: CompatibilityVerdict;
}

/** A safeguard: no agent offers this many models. */
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
  /** New capabilities that its sessions have announced. */
  #newFeatures: readonly string[] | undefined;
  /** The version that its sessions report, if it differs from the detected one. */
  #otherVersion = "";
  /** Why its sandbox last stopped one of its processes. */
  #limited = "";
  /** The models that it offered when it was last started. */
  #models: readonly ModelInfo[] = [];
  /** Whether it reports what becomes of prompts; undefined until observed. */
  #tells: boolean | undefined;

  constructor(name: string, log: Log, onChange: () => void = () => {}) {
    this.name = name;
    this.#log = log;
    this.#onChange = onChange;
  }

  get finding(): Finding | undefined {
    return this.#finding;
  }

  /** Records a finding. A change is logged and resets the counters. */
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

  /** The models that it offers; empty until it has been started once. */
  get models(): readonly ModelInfo[] {
    return this.#models;
  }

  /** Records the models that it offers. */
  offers(models: readonly ModelInfo[]): void {
    this.#models = models.slice(0, MAX_MODELS);
  }

  /** Whether sessions can run with it, as far as is known. */
  get isUsable(): boolean {
    return this.#level !== "INCOMPATIBLE" && this.#finding?.verdict.hasFailed !== true;
  }

  /** The compatibility level from the examination alone, before anything was observed at run time. */
  get probedLevel(): CompatibilityLevel {
    return this.#finding?.verdict.level ?? "UNKNOWN";
  }

  get level(): CompatibilityLevel {
    return this.#level;
  }

  /** Its state in one sentence. */
  get message(): string {
    const said = `${this.#withDegradation()}${this.#limited === "" ? "" : `; last limit: ${this.#limited}`}`;
    return this.#otherVersion === "" ? said : `${said}, but its sessions report v${this.#otherVersion}`;
  }

  get notice(): string {
    const notice = this.#finding?.verdict.notice;
    return notice ? printNotice({ ...notice, newFeatures: this.#newFeatures ?? notice.newFeatures }) : "";
  }

  /** Records the capabilities that a running agent reports; the notice lists those that are new. */
  announced(capabilities: readonly string[]): void {
    const isNews = this.#newFeatures === undefined;
    this.#newFeatures = newCapabilities(capabilities);
    if (isNews && this.#finding?.verdict.notice) this.#log.warn(this.notice, { agent: this.name });
  }

  get truncated(): number {
    return this.#truncated;
  }

  /** How many lines were not messages. */
  get noise(): number {
    return this.#noise;
  }

  get counters() {
    return this.#degradation.counters();
  }

  /** How unknown messages are handled. */
  get unknown(): UnknownHandling {
    return DIALECTS[this.#finding?.agent?.dialect ?? "claude"].unknown;
  }

  /**
   * Whether it reports what becomes of each prompt and recognizes prompts that an earlier process received; both came with the
   * same release. Observed behavior takes precedence over the version, which counts only if the greeting matches such a release.
   */
  followsPrompts(greeting: { readonly claude_code_version?: unknown } | undefined): boolean {
    const isLikely = supports(this.#finding?.agent?.version, undefined, "message_lifecycle");
    return this.#tells ?? (isLikely && greeting?.claude_code_version !== undefined);
  }

  /** Records whether it reported what became of a prompt, or began a turn without reporting it. */
  tells(isTold: boolean): void {
    this.#tells = isTold;
  }

  /** Records why its sandbox stopped a process. */
  limited(reason: string): void {
    this.#limited = reason;
    this.#onChange();
  }

  /** Counts across all sessions; each kind is logged once. */
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

  /** Records the version that a running agent reports: its file may have changed, or be a wrapper around another program. */
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
