import type { AgentOutputMessage } from "@agentwire/host";
import { BadLine, type Line, type Malformed } from "@agentwire/protocol";
import {
  type CommandLifecycleMessage,
  type InitMessage,
  isFailure,
  type ResultMessage,
} from "@agentwire/protocol/messages";
import type { Boundary } from "../boundary.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { CostOf } from "../models/agent-gateway.ts";
import type { Amount } from "../store/amount.ts";
import type { Draft } from "../store/draft.ts";
import type { Meter } from "../usage/meter.ts";
import { repriced } from "../usage/repriced.ts";
import type { AgentRun, Fault, Launched, RunEnding } from "./agent-run.ts";
import { DeniedCalls } from "./denied-calls.ts";
import { errorDraft } from "./events/error.ts";
import { failureOf } from "./events/from-result.ts";
import { informed } from "./events/informed.ts";
import { EventMapper } from "./events/mapper.ts";
import { rawBody } from "./events/raw.ts";
import type { FaultMonitor } from "./fault-monitor.ts";
import type { Gate } from "./gate.ts";
import type { Journal } from "./journal.ts";
import { truncationMarker } from "./payload.ts";
import { limited, malformedLine, rawLine } from "./payload-limit.ts";
import type { PromptNews, Prompts } from "./prompts.ts";
import type { SessionState } from "./state.ts";

/** What turning an agent's output into events needs. */
export interface AgentOutputOptions {
  readonly state: SessionState;
  readonly journal: Journal;
  readonly prompts: Prompts;
  readonly faults: FaultMonitor;
  readonly meter: Meter;
  readonly metrics: Metrics;
  /** The most that is stored of one message. */
  readonly maxPayloadBytes: number;
  readonly gate: Gate;
  readonly guard: Boundary;
  /** Called for each message, which is ignored unless this returns true. */
  readonly onMessage: () => boolean;
  /** A turn has started; the agent may start one without a prompt. */
  readonly onTurn: () => void;
  /** A turn has ended: what it used, and whether it failed. */
  readonly onTurnEnd: (used: Amount, isFailure: boolean) => void;
  /** The agent has reported a prompt's state, or started a turn without naming its prompt. */
  readonly onPromptState: (isTold: boolean) => void;
  /** The agent will answer none of its prompts: it has seen them before, or refuses them. */
  readonly onSkipped: () => void;
  /** Something was received that the session must not continue without understanding. */
  readonly onFatal: (reason: string) => void;
}

/** Turns the output of one agent into events, in order. */
export class AgentOutput {
  readonly #options: AgentOutputOptions;
  /** The model that the agent named last. */
  #model = "";
  #costOf: CostOf | undefined;
  readonly #mapper = new EventMapper(() => performance.now());
  #isInTurn = false;
  /** How many lines of this process could not be read. */
  #malformed = 0;

  constructor(options: AgentOutputOptions) {
    this.#options = options;
  }

  /** Whether a turn is running. */
  get isInTurn(): boolean {
    return this.#isInTurn;
  }

  /** Listens to a new process until it ends, and has its questions decided. */
  listenTo(run: AgentRun, launched: Promise<Launched>, onEnd: (ending: RunEnding) => void): void {
    const { gate, guard, state, faults, onMessage } = this.#options;
    this.#isInTurn = false;
    this.#malformed = 0;
    const begun = ({ health, shortfall, distrust, costOf }: Launched) => {
      this.#costOf = costOf;
      state.tell([...faults.begin(health, shortfall), ...informed(distrust)]);
    };
    this.#costOf = undefined;
    void launched.then(begun).catch(() => {});
    void Promise.all([launched, run.ready()])
      .then(([{ health }, { handshake }]) => handshake && health.offers(handshake.models))
      .catch(() => {});
    const denied = new DeniedCalls(gate);
    run.own(guard, {
      said: (message, line) => {
        if (!onMessage()) return undefined;
        denied.heard(message);
        return this.#onMessage(message, line);
      },
      failed: (fault) => this.#onMalformed(fault),
      asked: (question, how) => {
        denied.told(question);
        return gate.decide(question, how);
      },
      elicits: (elicited, how) => gate.elicit(elicited, how),
      forbids: (call) => {
        denied.told(call);
        return gate.forbids(call);
      },
      calls: (call, how, heldMs) => gate.check(call, how, heldMs),
      ended: onEnd,
    });
  }

  /** Processes a message; returns a promise while the agent should pause. */
  #onMessage(message: AgentOutputMessage, line: string | undefined): Promise<void> | undefined {
    const fitting = this.#fit(message, line);
    return fitting && this.#take(fitting, line);
  }

  /** Processes a line that is not a message. */
  #onMalformed({ fault, line }: Fault): void {
    const { faults, journal, onFatal } = this.#options;
    if (line instanceof BadLine && line.reason === "too_long") {
      faults.cut("a line", line.bytes);
      this.#lost(line.bytes);
      return;
    }
    const reason = faults.unreadable({ fault, line });
    this.#keepMalformed(fault, line);
    if (reason === undefined) return;
    journal.note([errorDraft({ code: "unreadable_message", message: reason, fatal: true })]);
    onFatal(reason);
  }

  #take(message: AgentOutputMessage, line: string | undefined): Promise<void> | undefined {
    const { journal, faults } = this.#options;
    switch (message.type) {
      case "command_lifecycle":
        this.#followed(message.command_uuid, message.state);
        return undefined;
      case "user":
        if (message.isReplay && message.uuid !== undefined) this.#shown(message.uuid);
        break;
      case "assistant":
        this.#wentOn();
        break;
      case "result":
        return this.#turnEnded(message, line);
      case "system":
        if (message.subtype === "init") this.#begun(message);
        break;
      case "unknown":
        if (!faults.unknown(message.raw_type)) return undefined;
    }
    journal.note(withLine(this.#mapper.map(message, []), message, line));
    return journal.room;
  }

  /** Truncates a message to the storage limit; undefined if it can't be truncated enough. */
  #fit(message: AgentOutputMessage, line: string | undefined): AgentOutputMessage | undefined {
    const { faults, maxPayloadBytes } = this.#options;
    const { message: fitting, cutBytes } = limited(message, line, maxPayloadBytes);
    if (cutBytes === undefined) return message;
    faults.cut(`a message of the type ${message.type}`, cutBytes);
    if (fitting) return fitting;
    this.#lost(cutBytes);
    // A turn has to end, however large its result is.
    return message.type === "result" ? essence(message) : undefined;
  }

  /** The line may have been a message, so clients see it; the number is limited so that a noisy agent does not fill the log. */
  #keepMalformed({ code, reason }: Malformed, line: Line): void {
    const { journal } = this.#options;
    const kept = malformedLine(line);
    if (++this.#malformed <= MAX_MALFORMED)
      journal.note([{ body: rawBody("malformed", code, { reason, line: kept }), line: kept }]);
    else if (this.#malformed === MAX_MALFORMED + 1)
      journal.note([{ body: rawBody("malformed", code, { reason: NOT_KEPT, line: "" }) }]);
  }

  #lost(bytes: number): void {
    const message = `The agent wrote a message that is too long to store. ${truncationMarker(bytes)}`;
    this.#options.journal.note([errorDraft({ code: "line_too_long", message })]);
  }

  #followed(promptId: string, stage: CommandLifecycleMessage["state"]): void {
    const { prompts, state, onTurn, onPromptState } = this.#options;
    onPromptState(true);
    if (stage === "queued") prompts.takenIn(promptId);
    else if (stage === "started") {
      // First: a session that has started a prompt must not be seen idle.
      onTurn();
      state.tellAll(prompts.started(promptId));
    } else this.#ended(prompts.ended(promptId, stage === "completed"));
  }

  #shown(promptId: string): void {
    this.#ended(this.#options.prompts.shown(promptId));
  }

  /** A prompt has ended without the end of a turn. */
  #ended(news: PromptNews): void {
    const { prompts, state, onSkipped } = this.#options;
    if (news.drafts.length === 0) return;
    state.tellAll(news);
    if (prompts.isEmpty && !this.#isInTurn) onSkipped();
  }

  #begun(init: InitMessage): void {
    const { prompts, state, faults, onTurn, onPromptState } = this.#options;
    const { session_id: agentSessionId } = init;
    this.#isInTurn = true;
    faults.begun(init);
    this.#model = init.model;
    onTurn();
    const next = prompts.startedNext();
    // An agent that reports prompts would have reported it before this.
    if (next.drafts.length > 0) onPromptState(false);
    state.tellAll(next);
    const { agentSessionId: known } = state.record;
    if (agentSessionId === known) return;
    // A new conversation is not a rewound one.
    state.tell([], [state.change({ agentSessionId, ...(known === "" && { resumeAt: "" }) })]);
  }

  /** The agent has continued from the point that its conversation was rewound to, so that is now its end. */
  #wentOn(): void {
    const { state } = this.#options;
    if (state.record.resumeAt !== "") state.tell([], [state.change({ resumeAt: "" })]);
  }

  async #turnEnded(said: ResultMessage, line: string | undefined): Promise<void> {
    const { prompts, journal, state, meter, metrics, onTurnEnd } = this.#options;
    const message = this.#costOf ? repriced(said, this.#costOf) : said;
    this.#isInTurn = false;
    const news = prompts.turnEnded(message.user_message_uuids ?? []);
    const used = meter.turnEnded(message, this.#model || state.record.model);
    metrics.turn(isFailure(message) ? "failed" : "done", used.turn);
    const drafts = [...used.drafts, ...this.#mapper.map(message, news.ids)];
    const stored = journal.say(
      [...withLine(drafts, message, line), ...news.drafts],
      [
        ...news.writes,
        ...used.writes,
        state.change({ updatedMs: Date.now(), turnFailure: failureOf(message) }),
      ],
    );
    onTurnEnd(used.turn, isFailure(message));
    // The journal reports a failure.
    await stored.catch(() => {});
  }
}

/** The line is stored with the first event made from it. */
function withLine(
  drafts: readonly Draft[],
  message: AgentOutputMessage,
  line: string | undefined,
): readonly Draft[] {
  const [first, ...rest] = drafts;
  if (!first || line === undefined || first.deltaOf !== undefined) return drafts;
  return [{ ...first, line: rawLine(message, line) }, ...rest];
}

/** How many lines of one process that can't be read are kept. */
const MAX_MALFORMED = 100;
const NOT_KEPT = "further unreadable lines are counted but not stored until the agent is restarted";

const MAX_MODELS = 50;

/** A result without its parts that may be long. */
function essence(result: ResultMessage): ResultMessage {
  const { structured_output: _, ...rest } = result;
  const isLong = Object.keys(result.modelUsage).length > MAX_MODELS;
  return {
    ...rest,
    result: "",
    errors: [],
    permission_denials: [],
    ...(isLong && { modelUsage: {}, model_usage_since_last_result: {} }),
  };
}
