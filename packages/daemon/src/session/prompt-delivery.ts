import { within } from "@agentwire/protocol/support";
import type { AgentHealth } from "../health/agent-health.ts";
import type { StoreError } from "../store/store-error.ts";
import { handServers, takeBack } from "./agent-requests.ts";
import type { AgentRun, Launched } from "./agent-run.ts";
import { informed } from "./events/informed.ts";
import type { Prompt } from "./prompts.ts";
import { RuleSync, type RuleSyncOptions } from "./rule-sync.ts";
import { type WriteOptions, writePrompts } from "./write-prompts.ts";

/** How long an agent may take to return the prompts it has not started. */
const RECALL_MS = 1000;

/** What is needed to give an agent prompts and rules. */
export type PromptDeliveryOptions = WriteOptions & RuleSyncOptions;

/** Gives prompts to one process, and records enough for the next daemon to know what to do about each of them. */
export class PromptDelivery {
  readonly #options: PromptDeliveryOptions;
  readonly #run: AgentRun;
  /** What the agent knows of the rules. */
  readonly rules: RuleSync;
  /** Whether the agent reports the state of prompts; undefined until it has started. */
  #follows: (() => boolean) | undefined;
  #health: AgentHealth | undefined;
  /** Settles when the agent takes prompts, knows the rules, and the store knows its conversation. */
  readonly #ready: Promise<void>;

  constructor(options: PromptDeliveryOptions, run: AgentRun, launched: Promise<Launched>) {
    this.#options = options;
    this.#run = run;
    this.rules = new RuleSync(options, run);
    this.#ready = this.#prepare(launched);
    // The caller of a later write gets the reason.
    this.#ready.catch(() => {});
  }

  /** The prompts to give to the agent now: an agent that does not report their state gets one at a time. */
  get due(): readonly Prompt[] {
    const { prompts } = this.#options;
    if (this.#takesMore) return prompts.due;
    return prompts.isUnsent ? prompts.due.slice(0, 1) : [];
  }

  /**
   * Gives the agent prompts; resolves with the reason if they can't be read. An agent that does not report the state of prompts would not
   * recognize a repeated one either. So it gets one at a time, which is stored as started first: it may be cut off, but never runs twice.
   */
  async give(due: readonly Prompt[]): Promise<StoreError | undefined> {
    const { prompts } = this.#options;
    for (const { id } of due) prompts.sent(id);
    await this.#ready;
    if (this.#takesMore) return writePrompts(this.#run, due, this.#options, false);
    const next = prompts.hasBegun ? [] : due.slice(0, 1);
    prompts.unsend(due.slice(next.length).map(({ id }) => id));
    return writePrompts(this.#run, next, this.#options, true);
  }

  /** The agent has reported the state of a prompt, or started a turn without one. */
  told(isTold: boolean): void {
    this.#health?.tells(isTold);
  }

  /** Withdraws the prompts that the agent has not started, if it lets go of them; they are queued here again. */
  async recall(): Promise<void> {
    const ids = this.#run.isUp ? this.#options.prompts.recalled() : [];
    if (ids.length === 0) return;
    await within(RECALL_MS, async () => {
      await Promise.all(ids.map((id) => takeBack(this.#run, id)));
    });
  }

  /** Recalls those prompts one by one; the ones that the agent keeps stay with it. */
  async regain(): Promise<void> {
    const { prompts } = this.#options;
    const ids = prompts.recalled();
    // The agent may still have it, however late it answers.
    for (const id of ids) prompts.returned(id);
    await within(RECALL_MS, async () => {
      const takeOne = async (id: string) => {
        if (!(await takeBack(this.#run, id)) && this.#run.isUp) prompts.sent(id);
      };
      await Promise.all(ids.map(takeOne));
    });
  }

  /** Ends the process; its queued prompts are queued here again first. */
  async end(): Promise<void> {
    await this.recall();
    await this.#run.close();
  }

  get #takesMore(): boolean {
    return this.#follows?.() !== false;
  }

  /**
   * An agent that was started ahead has its own conversation id: if the daemon dies after the agent received the first prompt, the next
   * daemon must find that conversation, or it would start another one with the same prompt.
   */
  async #prepare(launched: Promise<Launched>): Promise<void> {
    const { state, journal } = this.#options;
    const agent = await this.#run.ready();
    const { handshake } = agent;
    const what = await launched;
    const { health, sessionId: agentSessionId, servers } = what;
    await this.rules.begin(what);
    const missing = servers ? Object.entries(await handServers(agent, servers)) : [];
    state.tell(missing.flatMap(([name, reason]) => informed(`MCP server ${name}: ${reason}`)));
    this.#health = health;
    this.#follows = () => health.followsPrompts(handshake);
    const { id, agentSessionId: known } = state.record;
    if (agentSessionId !== undefined && agentSessionId !== id && known === "")
      await journal.say([], [state.change({ agentSessionId, resumeAt: "" })]);
  }
}
