import { randomUUID } from "node:crypto";
import type { AgentMessage, JsonObject } from "@agentwire/protocol";
import type { PromptFile } from "./context/context.ts";
import type { Conversation, Services } from "./conversation.ts";
import type { History } from "./history.ts";
import type { HostLink } from "./host-link.ts";
import { type Inbox, isCommand, joined, type Prompt, textOf } from "./inbox.ts";
import { localResult, type ResultFacts, resultOf } from "./result.ts";
import { type LocalCommands, splitCommand } from "./slash/local-commands.ts";
import type { Transcript, TranscriptMessage } from "./store/transcript.ts";
import type { StructuredOutput } from "./tools/session/structured-output.ts";
import { runTurn, type TurnEnd } from "./turn.ts";
import type { Notice } from "./workspace.ts";

/** What a session is assembled from: `assemble.ts` does it. */
export interface SessionParts {
  readonly services: Services;
  readonly host: HostLink;
  readonly inbox: Inbox;
  readonly history: History;
  readonly structured: () => StructuredOutput | undefined;
  readonly commands: LocalCommands;
  /** The commands and skills that the user and the project wrote. */
  readonly prompts: () => Promise<ReadonlyMap<string, PromptFile>>;
  transcript: Transcript;
  sessionId: string;
  /** The message that opens a turn. */
  init(): Notice;
  nextCall: Conversation["nextCall"];
  tools: Conversation["tools"];
  /** Runs once, before the first turn. */
  start(signal: AbortSignal): Promise<void>;
  /** Resolves when the tools that turns need are there. */
  ready(signal: AbortSignal): Promise<void>;
  makeRoom(signal: AbortSignal): Promise<void>;
  /** A prompt begins: what changes from here on can be put back. */
  beginCheckpoint(promptUuid: string): void;
}

/** One conversation with one host: takes prompts from the inbox and answers each with exactly one result. */
export class Session {
  readonly parts: SessionParts;
  #turn: AbortController | undefined;
  #started = false;
  #results = 0;
  #lastFailed = false;
  #answered: JsonObject = {};
  /** Prompts that joined the running turn. */
  readonly #joined: string[] = [];

  constructor(parts: SessionParts) {
    this.parts = parts;
    parts.inbox.onUrgent = () => this.#turn?.abort("urgent");
  }

  get isRunning(): boolean {
    return this.#turn !== undefined;
  }

  /** Whether the last turn ended badly: the process's exit code. */
  get lastFailed(): boolean {
    return this.#lastFailed;
  }

  /** Answers prompts until no more come. */
  async serve(): Promise<void> {
    for (let prompts = await this.parts.inbox.next(); prompts; prompts = await this.parts.inbox.next()) {
      await this.#answer(prompts);
    }
  }

  /** Ends the running turn; its result follows. */
  interrupt(): void {
    this.#turn?.abort("interrupt");
  }

  /** Tells the host, with the session's id and a uuid on it. */
  readonly tell = (notice: Notice): void => {
    this.parts.host.send({
      ...notice,
      session_id: this.parts.sessionId,
      uuid: notice.uuid ?? randomUUID(),
    } as AgentMessage);
  };

  /** Tells the host whether the session works, waits or rests, if it wants to know. */
  state(state: "running" | "requires_action" | "idle"): void {
    const { stateEvents } = this.parts.services.config;
    if (stateEvents === "none") return;
    this.tell({
      type: "system",
      subtype: "session_state_changed",
      state,
      ...(stateEvents === "host_only" && { sdk_host_only: true }),
    });
  }

  async #answer(prompts: readonly Prompt[]): Promise<void> {
    const controller = new AbortController();
    this.#turn = controller;
    const startedAt = performance.now();
    this.state("running");
    const named = prompts.filter((prompt) => prompt.named).map((prompt) => prompt.uuid);
    this.#answered = named.length > 0 ? { user_message_uuid: named.at(-1), user_message_uuids: named } : {};
    const facts = (more: JsonObject = {}): ResultFacts => ({
      startedAt,
      costs: this.parts.services.costs,
      queued: this.parts.inbox.length,
      index: this.#results++,
      maxTurns: this.parts.services.config.maxTurns,
      preempted: controller.signal.reason === "urgent",
      more: { ...this.#answered, ...more },
    });
    const end = await this.#respond(prompts, controller.signal, facts);
    this.#turn = undefined;
    for (const uuid of named)
      this.#lifecycle(uuid, end?.reason.startsWith("aborted") ? "cancelled" : "completed");
    if (this.parts.inbox.length === 0) this.state("idle");
  }

  /** Says everything of a turn, its result last; returns how it ended, if it was one. */
  async #respond(
    prompts: readonly Prompt[],
    signal: AbortSignal,
    facts: (more?: JsonObject) => ResultFacts,
  ): Promise<TurnEnd | undefined> {
    const [first] = prompts;
    if (!first) return undefined;
    if (!this.#started) await this.parts.start(signal);
    this.#started = true;
    const command =
      prompts.length === 1 && isCommand(first) ? this.parts.commands.find(textOf(first.content)) : undefined;
    if (command) {
      const { name, text } = await command.run(this, signal);
      await this.#finish(localResult(name, text, facts()), false);
      return undefined;
    }
    const expanded = await this.#expand(prompts);
    return this.#converse(expanded, signal, facts);
  }

  async #converse(
    prompts: readonly Prompt[],
    signal: AbortSignal,
    facts: (more?: JsonObject) => ResultFacts,
  ): Promise<TurnEnd | undefined> {
    const hookContext = await this.#promptHooks(prompts, signal);
    await this.parts.ready(signal);
    this.tell(this.parts.init());
    if (hookContext === "blocked" || !prompts.some((prompt) => prompt.query)) {
      if (hookContext !== "blocked") this.#remember(prompts, []);
      await this.#finish({ ...localResult("", "", facts()), local_command: undefined }, false);
      return undefined;
    }
    this.#remember(prompts, hookContext);
    if (this.parts.services.config.replayPrompts) for (const prompt of prompts) this.#replay(prompt);
    const structured = this.parts.structured();
    if (structured) structured.answer = undefined;
    const end = await runTurn(this.#conversation(), {
      signal,
      ...(structured && { structured: () => structured.answer }),
      mayGoOn: () => this.#withinBudget(),
      makeRoom: (s) => this.parts.makeRoom(s),
    });
    for (const uuid of this.#joined.splice(0)) this.#lifecycle(uuid, "completed");
    const over =
      !this.#withinBudget() && end.reason === "completed" ? { ...end, reason: "budget_exhausted" } : end;
    const result = resultOf(over, facts());
    await this.#finish(result, result.is_error);
    return over;
  }

  /** A slash command that the project wrote stands for its text. */
  async #expand(prompts: readonly Prompt[]): Promise<readonly Prompt[]> {
    const [first] = prompts;
    if (prompts.length !== 1 || !first || !isCommand(first)) return prompts;
    const { name, args } = splitCommand(textOf(first.content));
    const found = (await this.parts.prompts()).get(name);
    return found ? [{ ...first, content: await found.expand(args) }] : prompts;
  }

  /** Who hears a result may rely on it: the turn is on disk by then. */
  async #finish(result: Notice, failed: boolean): Promise<void> {
    this.#lastFailed = failed;
    await this.parts.transcript.flush();
    this.tell(result);
  }

  async #promptHooks(
    prompts: readonly Prompt[],
    signal: AbortSignal,
  ): Promise<readonly string[] | "blocked"> {
    const { hooks } = this.parts.services;
    if (!hooks.listens("UserPromptSubmit")) return [];
    const said = await hooks.run(
      "UserPromptSubmit",
      { prompt: textOf(joined(prompts)), source: "sdk" },
      { signal },
    );
    if (said.block || said.stop) {
      const content = said.block?.reason ?? said.stop?.reason ?? "";
      this.tell({
        type: "system",
        subtype: "informational",
        content: `A hook refused the prompt: ${content}`,
        level: "warning",
      });
      return "blocked";
    }
    return said.context;
  }

  #remember(prompts: readonly Prompt[], context: readonly string[]): void {
    const { history } = this.parts;
    history.add("user", joined(prompts));
    for (const text of context)
      history.add("user", [{ type: "text", text: `<system-reminder>\n${text}\n</system-reminder>` }]);
    for (const prompt of prompts) {
      this.#record({
        uuid: prompt.uuid,
        type: "user",
        message: { role: "user", content: prompt.content },
        extra: prompt.synthetic ? { isMeta: true } : {},
      });
      this.parts.beginCheckpoint(prompt.uuid);
    }
  }

  #replay(prompt: Prompt): void {
    this.tell({
      type: "user",
      message: { role: "user", content: prompt.content as string },
      parent_tool_use_id: null,
      uuid: prompt.uuid,
      isReplay: true,
    });
  }

  #conversation(): Conversation {
    const { services, history, inbox, nextCall, tools } = this.parts;
    return {
      services,
      history,
      parentToolUseId: null,
      partialMessages: services.config.partialMessages,
      maxTurns: services.config.maxTurns,
      nextCall,
      tools,
      tell: this.tell,
      record: (message) => this.#record(message),
      takeJoining: () => {
        const prompts = inbox.takeJoining();
        for (const prompt of prompts) if (prompt.named) this.#joined.push(prompt.uuid);
        return prompts;
      },
      answered: () => this.#answered,
    };
  }

  #record(message: Omit<TranscriptMessage, "timestamp">): void {
    this.parts.transcript.append({ ...message, timestamp: new Date().toISOString() });
  }

  #withinBudget(): boolean {
    const { config, costs } = this.parts.services;
    const spent = costs.totalUsd;
    return config.maxBudgetUsd === undefined || spent === undefined || spent < config.maxBudgetUsd;
  }

  #lifecycle(uuid: string, state: "completed" | "cancelled"): void {
    this.tell({ type: "command_lifecycle", command_uuid: uuid, state });
  }
}
