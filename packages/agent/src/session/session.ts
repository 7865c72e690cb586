import { randomUUID } from "node:crypto";
import { contentText } from "@agentwire/protocol/messages";
import { errorMessage } from "@agentwire/protocol/support";
import { compactIfFull } from "../compact/compaction.ts";
import { userLine } from "../hooks/hooks.ts";
import type { Notice } from "../host/outlet.ts";
import type { ModelMessage } from "../model/model.ts";
import { answered, isCommand, originOf, type Prompt } from "../prompt.ts";
import { type Conversation, isWithinBudget, type TurnMarks } from "../turn/conversation.ts";
import { brokenResult, localResult, type ResultFacts, resultOf } from "../turn/result.ts";
import { runTurn } from "../turn/turn.ts";
import { rememberPrompts, validPrompts } from "./accept-prompts.ts";
import type { SessionContext } from "./context.ts";
import { sessionInit } from "./init.ts";
import { refusedPrompt } from "./intake.ts";
import { readMentions } from "./mentions.ts";
import { mainAgent, nextCall } from "./next-call.ts";
import { compactable, ready, start } from "./start.ts";

/** What ends a turn early: the host's interrupt, or an urgent prompt. */
type Abort = "interrupt" | "urgent";

/** A running turn. */
interface Running {
  readonly prompts: readonly Prompt[];
  readonly controller: AbortController;
  readonly startedAt: number;
  readonly marks: TurnMarks;
  /** The ids of its prompts that the host has named, for messages that refer to them. */
  readonly named: readonly string[];
  /** Named prompts that joined it later. */
  readonly joined: string[];
  /** Which kinds of message have already been bound to its prompts. */
  readonly bound: Set<"line" | "delta">;
  /** Whether the host has been told that it started. */
  isOpen: boolean;
  /** Whether its result has been sent. */
  isOver: boolean;
}

/** One conversation with one host: takes prompts from the inbox and answers each with exactly one result. */
export class Session {
  readonly context: SessionContext;
  readonly #ending = new AbortController();
  #turn: Running | undefined;
  #started = false;
  /** Why a turn that is about to start must end at once. */
  #abortedEarly: Abort | undefined;
  #results = 0;
  #lastFailed = false;
  /** Replies from an earlier conversation that the host sent during a turn. */
  readonly #recalled: ModelMessage["content"][] = [];

  constructor(context: SessionContext) {
    this.context = context;
    context.inbox.onUrgent = () => this.#abort("urgent");
  }

  /** Whether a turn runs or is about to: its prompt has been taken. */
  get isRunning(): boolean {
    return this.#turn !== undefined || this.context.inbox.isServing;
  }

  /** Whether the last turn failed; decides the exit code of the process. */
  get lastFailed(): boolean {
    return this.#lastFailed;
  }

  /** Answers prompts until no more come, not even from background tasks. */
  async serve(): Promise<void> {
    const { inbox } = this.context;
    for (;;) {
      const prompts = await inbox.next();
      if (prompts) await this.#answer(prompts);
      else {
        await this.context.backgroundChange(this.#ending.signal);
        if (inbox.length === 0) return;
      }
    }
  }

  /** Tells the host that the turn starts, with the current state of the session. */
  open(): void {
    if (this.#turn) this.#turn.isOpen = true;
    this.context.outlet.tell(sessionInit(this.context, this.#turn?.named ?? []));
  }

  /** Ends the running turn; its result follows. */
  readonly interrupt = (): void => this.#abort("interrupt");

  /** Ends the running turn and then the session: no new turn starts, and waiting prompts are left to a later process. */
  end(): void {
    this.context.inbox.abandon();
    this.interrupt();
    this.#ending.abort();
  }

  /**
   * Adds a reply from an earlier conversation to this one, after the running turn if there is one: a turn's own messages stay
   * together.
   */
  recall(content: ModelMessage["content"]): void {
    if (this.#turn) this.#recalled.push(content);
    else this.context.history.add("assistant", content);
  }

  /** Echoes a prompt to the host that sent it, as a receipt. */
  replay({ uuid, content }: Prompt): void {
    const message = { role: "user" as const, content: typeof content === "string" ? content : [...content] };
    this.context.outlet.tell({ type: "user", message, parent_tool_use_id: null, uuid, isReplay: true });
  }

  #abort(reason: Abort): void {
    if (this.#turn) this.#turn.controller.abort(reason);
    // A prompt has just been taken, and its turn is about to start.
    else if (this.context.inbox.isServing) this.#abortedEarly = reason;
  }

  async #answer(prompts: readonly Prompt[]): Promise<void> {
    const { outlet, inbox, history, models } = this.context;
    const named = prompts.filter((prompt) => prompt.named).map((prompt) => prompt.uuid);
    const controller = new AbortController();
    const turn: Running = {
      prompts,
      controller,
      startedAt: performance.now(),
      marks: {},
      named,
      joined: [],
      bound: new Set(),
      isOpen: false,
      isOver: false,
    };
    this.#turn = turn;
    if (this.#abortedEarly) controller.abort(this.#abortedEarly);
    this.#abortedEarly = undefined;
    this.context.suggestions.stop();
    models.beginTurn();
    outlet.state("running");
    try {
      await this.#respond(turn);
    } catch (error) {
      const text = errorMessage(error);
      await this.#finish(turn, (facts) => brokenResult(text, undefined, facts));
    }
    this.#turn = undefined;
    for (const content of this.#recalled.splice(0)) history.add("assistant", content);
    const { signal } = controller;
    for (const uuid of named) this.#lifecycle(uuid, signal.aborted ? "cancelled" : "completed");
    if (inbox.length === 0) {
      outlet.state("idle");
      this.context.suggestions.begin(this.#lastFailed);
    }
    this.#remember();
  }

  /** Sends all messages of a turn, its result last. */
  async #respond(turn: Running): Promise<void> {
    const { commands } = this.context;
    const { signal } = turn.controller;
    const [first] = turn.prompts;
    this.context.outlet.promptId = randomUUID();
    if (!this.#started) await start(this.context, signal);
    this.#started = true;
    const command =
      turn.prompts.length === 1 && first && isCommand(first)
        ? commands.find(contentText(first.content))
        : undefined;
    if (!command) return this.#converse(turn);
    const text = await command.run({ open: () => this.open(), tell: this.context.outlet.tell }, signal);
    await this.#finish(turn, (facts) =>
      text === undefined && !facts.preempted
        ? brokenResult(`/${command.name} was interrupted.`, "aborted_streaming", facts)
        : localResult(command.name, text ?? "", facts),
    );
  }

  async #converse(turn: Running): Promise<void> {
    const { intake, models, gate, outlet, config, deferredCall } = this.context;
    const { signal } = turn.controller;
    // A command may be an MCP prompt of a server that is still connecting.
    if (turn.prompts.some(isCommand)) await ready(this.context, signal);
    const { prompts: sent, context, refusal, messages, command } = await intake.take(turn.prompts, signal);
    if (command?.model && command.model !== "inherit") models.standIn(command.model);
    gate.grant(command?.allowedTools ?? []);
    await ready(this.context, signal);
    const attached = refusal ? [] : await readMentions(this.context, sent, signal);
    this.open();
    const prompts = validPrompts(sent, outlet);
    for (const text of messages) outlet.tell(userLine(text));
    if (refusal) outlet.tell(refusedPrompt(refusal));
    const first = deferredCall.call;
    const isTaken = !refusal || refusal.isKept;
    const isQuestion = !refusal && prompts.some((prompt) => prompt.query);
    const remember = () => {
      if (isTaken)
        rememberPrompts(this.context, deferredCall.with(prompts), { context, attached }, first !== undefined);
    };
    if (!first) remember();
    else if (!isQuestion && isTaken) deferredCall.hold(prompts);
    if (!isQuestion) return this.#finish(turn, (facts) => localResult(undefined, refusal?.text ?? "", facts));
    if (config.replayPrompts) for (const prompt of sent) this.replay(prompt);
    const { structured } = this.context;
    if (structured) structured.answer = undefined;
    const end = await runTurn(this.#conversation(turn), {
      signal,
      ...(structured && { structured }),
      mayContinue: () => isWithinBudget(this.context),
      makeRoom: (until, isRefused) =>
        compactIfFull(
          compactable(this.context, () => this.open()),
          until,
          isRefused,
        ),
      ...(first && { deferredCall: { call: first, onResult: remember } }),
    });
    if (end.deferred) {
      deferredCall.keep(end.deferred);
      if (first) deferredCall.hold(prompts);
    }
    const isSpent = end.reason === "completed" && !isWithinBudget(this.context);
    await this.#finish(turn, (facts) =>
      resultOf(isSpent ? { ...end, reason: "budget_exhausted" } : end, facts),
    );
  }

  /** Sends the result, unless the turn already has one. The turn is on disk by then. */
  async #finish(
    turn: Running,
    makeResult: (facts: ResultFacts) => Notice & { type: "result" },
  ): Promise<void> {
    if (turn.isOver) return;
    turn.isOver = true;
    if (!turn.isOpen) this.open();
    const { records, outlet, config, costs, inbox } = this.context;
    for (const uuid of turn.joined) this.#lifecycle(uuid, "completed");
    inbox.done(turn.prompts);
    // A database records costs itself.
    const spent = config.database === undefined ? costs.takeNote() : undefined;
    if (spent) records.note(spent);
    await records.flush();
    const result = makeResult({
      startedAt: turn.startedAt,
      costs,
      queued: inbox.sent,
      index: this.#results++,
      maxTurns: this.#maxTurns,
      maxBudgetUsd: config.maxBudgetUsd,
      marks: turn.marks,
      preempted: turn.controller.signal.reason === "urgent",
      more: { ...answered(turn), ...originOf(turn.prompts) },
    });
    this.#lastFailed = result.is_error;
    outlet.tell(result);
  }

  #conversation(turn: Running): Conversation {
    const { config, history, inbox, tools, outlet, records } = this.context;
    return {
      services: this.context,
      history,
      turnId: randomUUID(),
      parentToolUseId: null,
      partialMessages: config.partialMessages,
      maxTurns: this.#maxTurns,
      marks: turn.marks,
      nextCall: () => nextCall(this.context),
      tools,
      tell: outlet.tell,
      room: () => outlet.room,
      record: (message) => records.add(message),
      note: (line) => records.note(line),
      interrupt: this.interrupt,
      takeJoining: () => {
        const prompts = validPrompts(inbox.takeJoining(), outlet);
        turn.joined.push(...prompts.filter((prompt) => prompt.named).map((prompt) => prompt.uuid));
        return prompts;
      },
      answered: (first) => {
        if (turn.bound.has(first)) return {};
        turn.bound.add(first);
        return answered(turn);
      },
    };
  }

  get #maxTurns(): number | undefined {
    return this.context.config.maxTurns ?? mainAgent(this.context)?.maxTurns;
  }

  /** Saves material for long-term memory; consolidation runs in the background. */
  #remember(): void {
    const { memory, consolidates, outlet } = this.context;
    const mayContinue = () => consolidates && isWithinBudget(this.context);
    memory?.turnEnded({ services: this.context, tell: outlet.tell, mayContinue });
  }

  #lifecycle(uuid: string, state: "completed" | "cancelled"): void {
    this.context.outlet.tell({ type: "command_lifecycle", command_uuid: uuid, state });
  }
}
