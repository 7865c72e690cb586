import { SessionStatus } from "@agentwire/api";
import { traceEnv } from "../tracing/trace-context.ts";
import { budgetText } from "../usage/meter.ts";
import { AgentOutput } from "./agent-output.ts";
import { tellModel } from "./agent-requests.ts";
import type { AgentRun, Launched, RunEnding } from "./agent-run.ts";
import { reportCrash } from "./crash.ts";
import type { DriverOptions } from "./driver-options.ts";
import { IdleTimeout } from "./idle-timeout.ts";
import { PromptDelivery } from "./prompt-delivery.ts";
import type { PromptNews } from "./prompts.ts";
import { Restarter } from "./restarter.ts";
import { TurnSpan } from "./turn-span.ts";

/**
 * Runs an agent while there is something to do: starts it, feeds it, listens to it, starts it again when it dies. This is one state machine
 * and stays in one file: to change what follows a death, the end of a turn or an empty queue, one has to see all three. Its parts (restarter,
 * idle timeout, delivery, output) decide nothing about each other.
 */
export class Driver {
  readonly #options: DriverOptions;
  readonly #output: AgentOutput;
  readonly #restarter = new Restarter();
  readonly #span: TurnSpan;
  readonly #idleTimeout: IdleTimeout;
  #run: AgentRun | undefined;
  #launched: Promise<Launched> | undefined;
  #delivery: PromptDelivery | undefined;
  /** Ends the wait for a slot. */
  #waiting: AbortController | undefined;
  #starting: Promise<void> | undefined;
  #isClosed = false;
  /** Whether no more turns start. */
  #isDraining = false;
  /** Whether prompts wait for a budget. */
  #isHeld = false;
  /** Whether a caller waits for a process without having a prompt for it. */
  #isCalled = false;
  /** Whether the process has to make room for a new one. */
  #mustRenew = false;
  /** Why the process had to be ended for good. */
  #failure: string | undefined;

  constructor(options: DriverOptions) {
    this.#options = options;
    this.#span = new TurnSpan(options.tracing);
    this.#idleTimeout = new IdleTimeout(options.idleMs);
    this.#output = new AgentOutput({
      ...options,
      onMessage: () => {
        // Output after something that was not understood can't be relied on.
        if (this.#failure !== undefined) return false;
        this.#idleTimeout.touch();
        return true;
      },
      onTurn: () => this.#working(),
      onTurnEnd: (used, isFailure) => {
        this.#span.ended(used, isFailure);
        this.#turnEnded();
      },
      onPromptState: (isTold) => this.#delivery?.told(isTold),
      onSkipped: options.guard(() => this.#run?.close()),
      onFatal: (reason) => {
        this.#failure = reason;
        options.guard(() => this.#delivery?.end())();
      },
    });
  }

  /** The process that runs now. */
  get run(): AgentRun | undefined {
    return this.#run;
  }

  /** Whether it has a process, or is about to get one. */
  get isActive(): boolean {
    return this.#run !== undefined || this.#starting !== undefined || this.isBackingOff;
  }

  /** Whether it waits until a process is started again. */
  get isBackingOff(): boolean {
    return this.#restarter.isBackingOff;
  }

  /** There may be something to do. */
  pump(): void {
    const { prompts, runner, guard } = this.#options;
    if (!this.#isWanted || this.#isHeldBack()) return;
    if (this.#run) {
      // While others wait for a slot, nothing joins a turn: it ends, and then it is their turn.
      if (prompts.isUnsent || runner.slots.waiting === 0) guard(() => this.#deliver())();
    } else if (!this.#starting) {
      this.#restarter.cancelDelay();
      this.#starting = this.#start();
      guard(() => this.#starting)();
    }
  }

  /** Continues what was waiting for a budget; nothing else is restarted early. */
  afford(): void {
    if (this.#isHeld) this.pump();
  }

  /** The process, which is started if none runs: for what can be asked of it without a prompt. Undefined if none can be had now. */
  async called(): Promise<AgentRun | undefined> {
    if (!this.#run) {
      this.#isCalled = true;
      this.pump();
      await this.#starting;
      this.#isCalled = false;
    }
    return this.#run;
  }

  /** Retries on request, however often it has failed. */
  retry(): void {
    this.#restarter.forget();
    this.pump();
  }

  /** A prompt was withdrawn: there may be nothing left to do. */
  eased(reason: string): void {
    if (!this.#options.prompts.isEmpty) return;
    this.#waiting?.abort();
    if (this.#run) this.#rest(reason);
    else if (!this.#starting) this.#stop(reason);
  }

  /** A question is open: until it is answered the process needs no slot, since an absent user would keep other sessions waiting. */
  asked(): void {
    this.#idleTimeout.asks();
  }

  /** No question is open any more: a process that was kept for its question is idle. */
  answered(): void {
    this.#idleTimeout.answered();
    if (this.#options.state.isAtRest) this.#idle();
  }

  /** Changes the model from the next step on, or from the next turn on if that needs a new process. */
  async setModel(model: string): Promise<void> {
    const [run, launched] = [this.#run, this.#launched];
    // A failed launch rejects here; waiting for the agent itself would never settle.
    await run?.ready();
    const mustRenew = (await launched?.then(({ takesModel }) => takesModel(model))) === false;
    if (mustRenew) await this.renew();
    else await tellModel(run, model, this.#options.state.isAtRest);
  }

  /** The rules have changed: the process is told, or replaced by one that knows them. */
  async applyRules(): Promise<void> {
    await this.#delivery?.rules.update();
    if (this.#options.state.isAtRest && this.#isOutdated) await this.#run?.close();
  }

  /** Something has changed that only a new process picks up: replaces the process. */
  async renew(): Promise<void> {
    this.#mustRenew = this.#run !== undefined;
    if (this.#options.state.isAtRest) await this.#run?.close();
  }

  /** Recalls prompts that the process has not started, so that they can be reordered; another process gets them after this turn. */
  async regain(): Promise<void> {
    if (!this.#run || !this.#options.prompts.hasWaitingAhead) return;
    this.#mustRenew = true;
    await this.#delivery?.regain();
  }

  /** Lets the running turn finish, and starts no other. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#waiting?.abort();
    await this.#delivery?.recall();
  }

  /** Ends the process; resolves when its end has been reported in full. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#idleTimeout.busy();
    this.#restarter.over();
    this.#waiting?.abort();
    await this.#starting;
    await this.#delivery?.end();
  }

  /** Whether there is something to start a process for. */
  get #isWanted(): boolean {
    const hasWork = this.#restarter.isDue || this.#isCalled || this.#options.prompts.unsent.length > 0;
    return hasWork && !this.#isClosed && !this.#isDraining;
  }

  /** Whether the process was started with something that has changed since. */
  get #isOutdated(): boolean {
    return this.#mustRenew || this.#delivery?.rules.isOutdated === true;
  }

  /** No turn starts when the budget is used up; a running one continues to its end. */
  #isHeldBack(): boolean {
    const { meter, state, prompts } = this.#options;
    const { stop } = meter;
    this.#isHeld = stop !== undefined;
    if (!stop) return false;
    if (prompts.isUnsent) {
      this.#idle();
      state.status(SessionStatus.WAITING, budgetText(stop));
    }
    state.tell(meter.notices());
    return true;
  }

  async #start(): Promise<void> {
    const { state, runner, prompts, meter } = this.#options;
    const waiting = new AbortController();
    this.#waiting = waiting;
    try {
      if (runner.mustWait(state.record)) state.status(SessionStatus.WAITING, "all agents are busy");
      const env = traceEnv(this.#span.begin(prompts.unsent[0], state.record));
      const { run, slot, launched } = await runner.run(state.record, env, waiting.signal);
      if (!this.#isWanted || meter.stop) {
        slot.release();
        await run.close();
        throw waiting.signal.reason;
      }
      state.status(SessionStatus.STARTING);
      this.#options.metrics.starts.add(1);
      this.#run = run;
      this.#launched = launched;
      this.#output.listenTo(run, launched, (ending) => this.#ended(ending));
      this.#delivery = new PromptDelivery(this.#options, run, launched);
      this.#idleTimeout.begin(slot);
      if (this.#restarter.isDue || this.#isCalled)
        void run
          .ready()
          .then(() => this.#cameBack(run))
          .catch(() => {});
    } catch {
      // It is no longer needed.
      this.#span.brokenOff("the turn did not begin");
      if (!this.#isClosed && !meter.stop) this.#stop("there is nothing to do");
    }
    this.#starting = undefined;
    this.#waiting = undefined;
    this.pump();
  }

  async #deliver(run = this.#run): Promise<void> {
    const { prompts, state } = this.#options;
    const due = this.#delivery?.due ?? [];
    if (!run || due.length === 0) return;
    this.#span.begin(due[0], state.record);
    this.#idleTimeout.busy();
    try {
      const unreadable = await this.#delivery?.give(due);
      if (this.#run !== run) return;
      if (unreadable) {
        this.#failure = unreadable.message;
        this.#options.guard(() => run.close())();
      } else if (prompts.isEmpty) this.eased("nothing is left to do");
      else this.#working();
    } catch {
      // The end of the run reports why, and requeues the prompts.
    }
  }

  #working(): void {
    this.#idleTimeout.busy();
    this.#options.state.status(SessionStatus.RUNNING);
  }

  #turnEnded(): void {
    const { prompts, runner } = this.#options;
    this.#restarter.succeeded();
    if (prompts.isEmpty || this.#isDraining) {
      this.#rest("the turn is over");
      if (this.#isOutdated) this.#options.guard(() => this.#run?.close())();
    } else if (!prompts.isUnsent) this.pump();
    else if (runner.slots.waiting > 0 || this.#isOutdated) this.#options.guard(() => this.#run?.close())();
    else this.pump();
  }

  #rest(reason: string): void {
    this.#stop(reason);
    // While a question is open, the process is needed for its answer.
    if (this.#options.state.isAtRest) this.#idle();
  }

  /** Keeps an idle process for a while, unless another session needs its slot. */
  #idle(): void {
    const run = this.#run;
    if (run) this.#idleTimeout.idle(this.#options.guard(() => run.close()));
  }

  #stop(reason: string): void {
    const { state } = this.#options;
    this.#restarter.over();
    if (!state.isAtRest) state.status(SessionStatus.IDLE, reason);
  }

  // Nothing here is awaited: a prompt that arrives meanwhile must not be mistaken for one of the old process.
  #ended(ending: RunEnding): void {
    const { state, prompts, onGone } = this.#options;
    const launched = this.#launched;
    this.#run = undefined;
    this.#launched = undefined;
    this.#delivery = undefined;
    this.#mustRenew = false;
    this.#idleTimeout.end();
    this.#span.brokenOff("the agent has exited");
    onGone();
    const { drafts, writes, failure } = prompts.processEnded();
    const noted = failure === "" ? [] : [state.change({ turnFailure: failure })];
    const news = { drafts, writes: [...writes, ...noted] };
    const failed = this.#failure;
    this.#failure = undefined;
    if (failed === undefined && ending.error) {
      if (this.#died(ending.error, ending, news)) void launched?.then(({ died }) => died?.());
      return;
    }
    state.tellAll(news);
    this.#restarter.over();
    if (failed !== undefined) state.status(SessionStatus.FAILED, failed);
    else {
      if (prompts.isEmpty || this.#isClosed) this.#stop("the agent has exited");
      this.pump();
    }
  }

  /** Reports the reason first: clients that wait for a prompt stop listening at its end. Returns whether it died in a turn. */
  #died(error: Error, ending: RunEnding, news: PromptNews): boolean {
    const { state, prompts, guard } = this.#options;
    const wasInTurn = this.#output.isInTurn || news.drafts.length > 0;
    const crash = this.#restarter.judge(error, ending, wasInTurn);
    const { next } = crash;
    reportCrash(this.#options, crash, error, ending, this.#restarter.deaths);
    state.tellAll(news);
    if ("giveUp" in next) {
      this.#restarter.over();
      state.status(SessionStatus.FAILED, next.giveUp);
    } else if (prompts.isEmpty && !this.#restarter.isDue) this.#stop("the agent died");
    else if (!this.#isClosed) {
      state.status(SessionStatus.RECOVERING, `the agent died; restarting it in ${next.delayMs} ms`);
      const again = guard(() => this.#tryAgain());
      this.#restarter.backOff(next.delayMs, again);
    }
    return wasInTurn;
  }

  #tryAgain(): void {
    const { state, prompts, runner, meter } = this.#options;
    // Without a prompt it would only be ready for the next one: not worth it if others wait for a slot or the budget is used up.
    if (prompts.isEmpty && (meter.stop || runner.mustWait(state.record))) this.#stop("the agent died");
    else this.pump();
  }

  /** The process that replaces a dead one takes prompts. */
  #cameBack(run: AgentRun): void {
    if (this.#run !== run) return;
    this.#restarter.over();
    if (this.#options.prompts.isEmpty) this.#rest("the agent was started");
  }
}
