import { randomUUID } from "node:crypto";
import { userLine } from "../hooks/hooks.ts";
import type { Notice } from "../host/outlet.ts";
import type { ModelMessage } from "../model/model.ts";
import { answered, isCommand, originOf, type Prompt, textOf } from "../prompt.ts";
import type { Conversation, TurnMarks } from "../turn/conversation.ts";
import { brokenResult, localResult, type ResultFacts, resultOf } from "../turn/result.ts";
import { runTurn } from "../turn/turn.ts";
import type { Refusal } from "./intake.ts";
import { rememberPrompts } from "./remember-prompts.ts";
import type { SessionParts } from "./session-parts.ts";
import { soundPrompts } from "./sound-prompts.ts";

/** Who ends a turn early: the host, or a prompt that does not want to wait. */
type Abort = "interrupt" | "urgent";

/** A turn that runs. */
interface Running {
  readonly prompts: readonly Prompt[];
  readonly controller: AbortController;
  readonly startedAt: number;
  readonly marks: TurnMarks;
  /** The prompts that the host has named, for messages that answer them. */
  readonly named: readonly string[];
  /** Named prompts that joined it later. */
  readonly joined: string[];
  /** What has been tied to its prompts. */
  readonly bound: Set<"line" | "delta">;
  /** Whether the host has been told that it begins. */
  isOpen: boolean;
  /** Whether its result is out. */
  isOver: boolean;
}

/** One conversation with one host: takes prompts from the inbox and answers each with exactly one result. */
export class Session {
  readonly parts: SessionParts;
  readonly #ending = new AbortController();
  #turn: Running | undefined;
  #started = false;
  /** Why the turn that is about to begin has to end. */
  #abortedEarly: Abort | undefined;
  #results = 0;
  #lastFailed = false;
  /** Replies of an earlier conversation that the host sent during a turn. */
  readonly #recalled: ModelMessage["content"][] = [];

  constructor(parts: SessionParts) {
    this.parts = parts;
    parts.inbox.onUrgent = () => this.#abort("urgent");
  }

  /** Whether a turn runs, or is about to: a prompt has been taken for it. */
  get isRunning(): boolean {
    return this.#turn !== undefined || this.parts.inbox.isServing;
  }

  /** Whether the last turn ended badly: the process's exit code. */
  get lastFailed(): boolean {
    return this.#lastFailed;
  }

  /** Answers prompts until no more come, not even from what runs in the background. */
  async serve(): Promise<void> {
    const { inbox } = this.parts;
    for (;;) {
      const prompts = await inbox.next();
      if (prompts) await this.#answer(prompts);
      else {
        await this.parts.backgroundChange(this.#ending.signal);
        if (inbox.length === 0) return;
      }
    }
  }

  /** Tells the host that the turn begins, with all it should know of the session. */
  open(): void {
    if (this.#turn) this.#turn.isOpen = true;
    this.parts.outlet.tell(this.parts.init(this.#turn?.named ?? []));
  }

  /** Ends the running turn; its result follows. */
  readonly interrupt = (): void => this.#abort("interrupt");

  /** Ends the running turn and then the session: nothing new begins, and what waits is left to a later process. */
  end(): void {
    this.parts.inbox.abandon();
    this.interrupt();
    this.#ending.abort();
  }

  /** Puts a reply of an earlier conversation into this one; between two turns, for a turn's own messages belong together. */
  recall(content: ModelMessage["content"]): void {
    if (this.#turn) this.#recalled.push(content);
    else this.parts.history.add("assistant", content);
  }

  /** Shows a prompt to the host that sent it, as a receipt. */
  replay({ uuid, content }: Prompt): void {
    const message = { role: "user" as const, content: typeof content === "string" ? content : [...content] };
    this.parts.outlet.tell({ type: "user", message, parent_tool_use_id: null, uuid, isReplay: true });
  }

  #abort(reason: Abort): void {
    if (this.#turn) this.#turn.controller.abort(reason);
    // A prompt that has just come is on its way to its turn.
    else if (this.parts.inbox.isServing) this.#abortedEarly = reason;
  }

  async #answer(prompts: readonly Prompt[]): Promise<void> {
    const { outlet, inbox, history, services } = this.parts;
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
    this.parts.suggestions.stop();
    services.models.beginTurn();
    outlet.state("running");
    try {
      await this.#respond(turn);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      await this.#finish(turn, (facts) => brokenResult(text, undefined, facts));
    }
    this.#turn = undefined;
    for (const content of this.#recalled.splice(0)) history.add("assistant", content);
    const { signal } = controller;
    for (const uuid of named) this.#lifecycle(uuid, signal.aborted ? "cancelled" : "completed");
    if (inbox.length === 0) {
      outlet.state("idle");
      this.parts.suggestions.begin(this.#lastFailed);
    }
    this.parts.turnEnded();
  }

  /** Says everything of a turn, its result last. */
  async #respond(turn: Running): Promise<void> {
    const { start, commands } = this.parts;
    const { signal } = turn.controller;
    const [first] = turn.prompts;
    this.parts.outlet.promptId = randomUUID();
    if (!this.#started) await start(signal);
    this.#started = true;
    const command =
      turn.prompts.length === 1 && first && isCommand(first)
        ? commands.find(textOf(first.content))
        : undefined;
    if (!command) return this.#converse(turn);
    const text = await command.run({ open: () => this.open(), tell: this.parts.outlet.tell }, signal);
    await this.#finish(turn, (facts) =>
      text === undefined && !facts.preempted
        ? brokenResult(`/${command.name} was interrupted.`, "aborted_streaming", facts)
        : localResult(command.name, text ?? "", facts),
    );
  }

  async #converse(turn: Running): Promise<void> {
    const { intake, ready, services, structured: wanted, makeRoom, putOff } = this.parts;
    const { signal } = turn.controller;
    // A command may be the prompt of a server that is still on its way.
    if (turn.prompts.some(isCommand)) await ready(signal);
    const { prompts: sent, context, refusal, messages, command } = await intake.take(turn.prompts, signal);
    if (command?.model && command.model !== "inherit") services.models.standIn(command.model);
    services.gate.grant(command?.allowedTools ?? []);
    await ready(signal);
    const attached = refusal ? [] : await this.parts.mentioned(sent, signal);
    this.open();
    const prompts = soundPrompts(sent, this.parts.outlet);
    for (const text of messages) this.parts.outlet.tell(userLine(text));
    if (refusal) this.parts.outlet.tell(refusedPrompt(refusal));
    const first = putOff.call;
    const isTaken = !refusal || refusal.isKept;
    const isQuestion = !refusal && prompts.some((prompt) => prompt.query);
    const remember = () => {
      if (isTaken)
        rememberPrompts(this.parts, putOff.with(prompts), { context, attached }, first !== undefined);
    };
    if (!first) remember();
    else if (!isQuestion && isTaken) putOff.hold(prompts);
    if (!isQuestion) return this.#finish(turn, (facts) => localResult(undefined, refusal?.text ?? "", facts));
    if (services.config.replayPrompts) for (const prompt of sent) this.replay(prompt);
    const structured = wanted();
    if (structured) structured.answer = undefined;
    const end = await runTurn(this.#conversation(turn), {
      signal,
      ...(structured && { structured }),
      mayGoOn: () => this.isWithinBudget,
      makeRoom,
      ...(first && { putOff: { call: first, onResult: remember } }),
    });
    if (end.deferred) {
      putOff.keep(end.deferred);
      if (first) putOff.hold(prompts);
    }
    const isSpent = end.reason === "completed" && !this.isWithinBudget;
    await this.#finish(turn, (facts) =>
      resultOf(isSpent ? { ...end, reason: "budget_exhausted" } : end, facts),
    );
  }

  /** Tells the result, unless the turn already has one. Who hears it may rely on it: the turn is on disk by then. */
  async #finish(
    turn: Running,
    makeResult: (facts: ResultFacts) => Notice & { type: "result" },
  ): Promise<void> {
    if (turn.isOver) return;
    turn.isOver = true;
    if (!turn.isOpen) this.open();
    const { records, outlet, services, inbox } = this.parts;
    for (const uuid of turn.joined) this.#lifecycle(uuid, "completed");
    inbox.done(turn.prompts);
    // A database counts for itself.
    const spent = services.config.database === undefined ? services.costs.takeNote() : undefined;
    if (spent) records.note(spent);
    await records.flush();
    const result = makeResult({
      startedAt: turn.startedAt,
      costs: services.costs,
      queued: inbox.sent,
      index: this.#results++,
      maxTurns: this.parts.maxTurns(),
      maxBudgetUsd: services.config.maxBudgetUsd,
      marks: turn.marks,
      preempted: turn.controller.signal.reason === "urgent",
      more: { ...answered(turn), ...originOf(turn.prompts) },
    });
    this.#lastFailed = result.is_error;
    outlet.tell(result);
  }

  #conversation(turn: Running): Conversation {
    const { services, history, inbox, nextCall, tools, outlet, records } = this.parts;
    return {
      services,
      history,
      turnId: randomUUID(),
      parentToolUseId: null,
      partialMessages: services.config.partialMessages,
      maxTurns: this.parts.maxTurns(),
      marks: turn.marks,
      nextCall,
      tools,
      tell: outlet.tell,
      room: () => outlet.room,
      record: (message) => records.add(message),
      note: (line) => records.note(line),
      interrupt: this.interrupt,
      takeJoining: () => {
        const prompts = soundPrompts(inbox.takeJoining(), outlet);
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

  /** Whether the session may still spend money. */
  get isWithinBudget(): boolean {
    const { config, costs } = this.parts.services;
    const spent = costs.spentUsd;
    return config.maxBudgetUsd === undefined || spent === undefined || spent < config.maxBudgetUsd;
  }

  #lifecycle(uuid: string, state: "completed" | "cancelled"): void {
    this.parts.outlet.tell({ type: "command_lifecycle", command_uuid: uuid, state });
  }
}

function refusedPrompt({ text: content }: Refusal): Notice {
  return { type: "system", subtype: "informational", content, level: "warning", prevent_continuation: true };
}
