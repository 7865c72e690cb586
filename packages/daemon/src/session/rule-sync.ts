import { isDeepStrictEqual } from "node:util";
import { HostError } from "@agentwire/host";
import type { RuleBook } from "../permission/rule-book.ts";
import { type PassedRules, passedRules } from "../permission/rule-flags.ts";
import type { AgentRun, Launched } from "./agent-run.ts";
import type { SessionState } from "./state.ts";

/** How long an agent may take to accept rules. */
const TELL_MS = 5000;

const NONE: PassedRules = { deny: [], ask: [] };

/** What is needed to keep an agent up to date with the rules of its session. */
export interface RuleSyncOptions {
  readonly state: SessionState;
  readonly rules: RuleBook;
}

/** What one process knows of the rules: they apply to files in its commands only if it knows them itself. */
export class RuleSync {
  readonly #options: RuleSyncOptions;
  readonly #run: AgentRun;
  #launched: Launched | undefined;
  #told = NONE;
  #telling: Promise<void> = Promise.resolve();

  constructor(options: RuleSyncOptions, run: AgentRun) {
    this.#options = options;
    this.#run = run;
  }

  /** It takes prompts now; resolves when it knows the rules. */
  begin(launched: Launched): Promise<void> {
    this.#launched = launched;
    return this.update();
  }

  /** Whether it was started with outdated rules and can't be told the new ones. */
  get isOutdated(): boolean {
    return this.#launched?.isOutdated(this.#options.state.record) === true;
  }

  /** Sends it the current rules, one update at a time; never rejects. */
  update(): Promise<void> {
    this.#telling = this.#telling.then(() => this.#tell());
    return this.#telling;
  }

  async #tell(): Promise<void> {
    const { state, rules } = this.#options;
    const { id, cwd } = state.record;
    const now = passedRules(rules.covering(id, cwd));
    // It can't be told before it has started, and is told then.
    if (!this.#launched?.takesRules || isDeepStrictEqual(now, this.#told)) return;
    try {
      const agent = await this.#run.ready();
      await agent.request("apply_flag_settings", { settings: { permissions: now } }, { deadlineMs: TELL_MS });
      this.#told = now;
    } catch (error) {
      // A process that has ended gets them when the next one starts.
      if (!(error instanceof HostError) || !UNHEARD.has(error.code)) return;
      const message = `${NOT_TOLD}: ${error.message}`;
      state.tell([{ body: { case: "deprecation", value: { id: "rules", message } } }]);
    }
  }
}

const UNHEARD: ReadonlySet<string> = new Set(["request_failed", "request_timeout"]);
const NOT_TOLD =
  "The agent did not accept the rules, so they apply to its calls but not to files that its commands name";
