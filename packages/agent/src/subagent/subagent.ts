import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import type { AgentDefinition } from "@agentwire/protocol/control";
import { planCompaction } from "../compact/plan.ts";
import { summaryMessage } from "../compact/summary.ts";
import { writeSummary } from "../compact/write-summary.ts";
import { makeOutputFolder } from "../files/output-folder.ts";
import type { Notice } from "../host/outlet.ts";
import { shouldCompact } from "../model/context-window.ts";
import type { Records } from "../store/records.ts";
import { newRunId, newTaskId } from "../tasks/ids.ts";
import { moveToBackground } from "../tasks/notices.ts";
import type { Tool, ToolContext, ToolOutcome } from "../tools/tool.ts";
import { describeCall } from "../turn/call.ts";
import type { Conversation, Services } from "../turn/conversation.ts";
import { weighAll } from "../turn/held.ts";
import { History } from "../turn/history.ts";
import { runTurn } from "../turn/turn.ts";
import type { SubagentHost } from "./agent-tool.ts";
import { type Isolation, isolate, type WorktreeNews } from "./isolation.ts";
import { beginSubagent, finishSubagent, type SubagentTask, tellProgress } from "./notices.ts";
import { launched, type Report, reported, whereabouts } from "./outcome.ts";
import { summariseProgress } from "./progress-summaries.ts";
import { SubagentSetup } from "./setup.ts";
import { Tally } from "./tally.ts";

/** An agent and its task. */
export interface Assignment {
  readonly type: string;
  readonly definition: AgentDefinition;
  readonly isBackground: boolean;
  /** The input of the Agent tool. */
  readonly input: JsonObject;
  /** 1 for a subagent of the session itself. */
  readonly depth: number;
  /** Creates the tool to start subagents, if it may have any. */
  readonly nested: ((services: Services) => Tool) | undefined;
}

/** A running subagent: a separate conversation, reported and stored alongside that of the session. */
export class Subagent {
  readonly #host: SubagentHost;
  readonly #assignment: Assignment;
  readonly #context: ToolContext;
  readonly #task: SubagentTask;
  readonly #transcript: ReturnType<Records["ofSubagent"]>;
  readonly #history = new History();
  readonly #tally = new Tally();
  readonly #stopped = new AbortController();
  #finished: Promise<Report> | undefined;
  #setup: SubagentSetup | undefined;
  #isolation: Isolation | undefined;
  /** Where its work is, if it has a worktree. */
  #worktree: WorktreeNews = {};

  constructor(host: SubagentHost, assignment: Assignment, context: ToolContext) {
    const { workspace, callId } = context;
    const { type, input, isBackground } = assignment;
    const id = newTaskId("a", workspace.tasks);
    this.#host = host;
    this.#assignment = assignment;
    this.#context = context;
    this.#task = {
      id,
      runId: newRunId(),
      type: "local_agent",
      subagentType: type,
      description: String(input.description),
      prompt: String(input.prompt),
      depth: assignment.depth,
      toolUseId: callId,
      outputFile: join(workspace.outputFolder, `${id}.output`),
      foreground: !isBackground,
      status: "running",
      stop: async () => {
        this.#stopped.abort("stopped");
        await this.#finished;
      },
    };
    const { description } = this.#task;
    this.#transcript = host.records().ofSubagent({
      agentId: id,
      agentType: type,
      description,
      toolUseId: callId,
    });
  }

  /** Works while the call waits; interrupting the turn ends it, unless the host has moved it to the background. */
  async inForeground(): Promise<ToolOutcome> {
    const { signal, workspace, callId } = this.#context;
    const interrupted = new AbortController();
    const onAbort = () => interrupted.abort(signal.reason);
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
    const report = await workspace.tasks.waitFor(callId, this.#begin(interrupted.signal));
    signal.removeEventListener("abort", onAbort);
    signal.throwIfAborted();
    if (report !== "detached") return reported(this.#task, report, this.#tally, this.#worktree);
    moveToBackground(workspace, this.#task);
    return launched(this.#task);
  }

  /** Works alongside the conversation until it is done or stopped. */
  inBackground(): ToolOutcome {
    void this.#begin();
    return launched(this.#task);
  }

  /** Never rejects: whatever happens, the task ends and this is reported to the host. */
  #begin(signal?: AbortSignal): Promise<Report> {
    const { workspace } = this.#context;
    beginSubagent(workspace, this.#task);
    const own = this.#stopped.signal;
    const uncount = this.#services.held.add(() => weighAll(this.#history.messages));
    this.#finished = this.#report(signal ? AbortSignal.any([signal, own]) : own).then(async (report) => {
      const summary = [report.text, ...whereabouts(this.#worktree)].join("\n");
      await this.#keep(summary);
      const { status } = report;
      uncount();
      finishSubagent(workspace, this.#task, { status, summary, usage: this.#tally.usage });
      return report;
    });
    return this.#finished;
  }

  async #report(signal: AbortSignal): Promise<Report> {
    let endSummaries = () => {};
    try {
      const { type, definition, input, nested } = this.#assignment;
      const isIsolated = (input.isolation ?? definition.isolation) === "worktree";
      if (isIsolated) this.#isolation = await this.#isolated(signal);
      const { workspace } = this.#services;
      const own = nested?.(this.#services);
      this.#setup = await SubagentSetup.open(
        this.#host,
        { type, definition, workspace, nested: own },
        signal,
      );
      await this.#receive(this.#setup, signal);
      const conversation = this.#conversation(this.#setup);
      const makeRoom = (_: AbortSignal, isRefused: boolean) =>
        this.#makeRoom(conversation, signal, isRefused);
      endSummaries = this.#host.summarises() ? summariseProgress(conversation, this.#summary) : endSummaries;
      const mayContinue = () => this.#host.mayContinue();
      const { text, error, reason } = await runTurn(conversation, { signal, makeRoom, mayContinue });
      if (this.#stopped.signal.aborted) return { status: "stopped", text: "The subagent was stopped." };
      if (reason === "budget_exhausted")
        return { status: "failed", text: "The session's budget is used up." };
      const hasFailed = error !== undefined || reason.startsWith("aborted");
      return { status: hasFailed ? "failed" : "completed", text };
    } catch (error) {
      return { status: "failed", text: error instanceof Error ? error.message : String(error) };
    } finally {
      endSummaries();
      await this.#setup?.close();
      this.#worktree = (await this.#isolation?.end()) ?? {};
    }
  }

  #isolated(signal: AbortSignal): Promise<Isolation> {
    return isolate(this.#host.worktrees(), this.#context.workspace, `agent-${this.#task.id}`, signal);
  }

  /** The session's services, with the subagent's own workspace. */
  get #services(): Services {
    return { ...this.#host.services(), workspace: this.#isolation?.workspace ?? this.#context.workspace };
  }

  async #makeRoom(conversation: Conversation, signal: AbortSignal, isRefused: boolean): Promise<boolean> {
    const { contextWindow } = this.#host.services().models;
    const window = Math.min(contextWindow, this.#assignment.definition.autoCompactWindow ?? contextWindow);
    const tokens = isRefused ? window : this.#tally.contextTokens;
    const hasRoom = await compactSubagent(conversation, { tokens, window }, signal);
    if (hasRoom) this.#tally.contextTokens = 0;
    return hasRoom;
  }

  /** Adds the task to the conversation, as a prompt. */
  async #receive({ opening }: SubagentSetup, signal: AbortSignal): Promise<void> {
    const { hooks } = this.#host.services();
    const facts = { agent_id: this.#task.id, agent_type: this.#assignment.type };
    const said = hooks.listens("SubagentStart")
      ? await hooks.run("SubagentStart", facts, { signal })
      : undefined;
    const text = [...opening, this.#task.prompt, ...(said?.context ?? [])].join("\n\n");
    const uuid = randomUUID();
    const message = { role: "user" as const, content: [{ type: "text" as const, text }] };
    this.#history.add("user", message.content, uuid);
    const timestamp = new Date().toISOString();
    // For a background task, the notice of its start already has the prompt.
    if (!this.#assignment.isBackground)
      this.#tell({ type: "user", message, parent_tool_use_id: this.#context.callId, uuid, timestamp });
    this.#transcript.add({ uuid, type: "user", message });
  }

  /** Stores the report as the task's output, like that of a command. */
  async #keep(text: string): Promise<void> {
    const { outputFile } = this.#task;
    try {
      makeOutputFolder(dirname(outputFile));
      await writeFile(outputFile, text, { mode: 0o600 });
    } catch {
      // Only the copy is missing: the report itself is in the conversation.
    }
  }

  #conversation(setup: SubagentSetup): Conversation {
    const { id, subagentType: type } = this.#task;
    const { definition, input } = this.#assignment;
    return {
      services: this.#services,
      history: this.#history,
      turnId: id,
      parentToolUseId: this.#context.callId,
      agent: { id, type, transcriptPath: this.#transcript.path, mode: definition.permissionMode },
      partialMessages: false,
      maxTurns: definition.maxTurns,
      nextCall: () => setup.nextCall(input, this.#history.messages),
      tools: () => setup.tools(),
      tell: (notice) => this.#pass(notice),
      record: (message) => this.#transcript.add(message),
      interrupt: () => (this.#task.foreground ? this.#host.interrupt() : this.#stopped.abort("stopped")),
      takeJoining: () => [],
      answered: () => ({}),
    };
  }

  /** Forwards a subagent's messages; its text in the foreground only if the host wants it. */
  #pass(notice: Notice): void {
    if (notice.type === "system" && notice.subtype === "thinking_tokens") return;
    if (notice.type === "assistant") {
      const [block] = notice.message.content;
      this.#tally.said(notice.message);
      if (block?.type === "tool_use") {
        this.#tell(notice);
        this.#progress(block.name, block.input);
        return;
      }
      if (!this.#assignment.isBackground && !this.#host.forwardText()) return;
    }
    this.#tell(notice);
  }

  #progress(tool: string, input: JsonObject): void {
    const { workspace } = this.#context;
    this.#tally.called(tool);
    const description = describeCall(this.#setup?.tools().get(tool), input, workspace);
    tellProgress(workspace, this.#task, { tool, description, usage: this.#tally.usage });
  }

  readonly #summary = (summary: string): void =>
    tellProgress(this.#context.workspace, this.#task, {
      usage: this.#tally.usage,
      ...(this.#tally.lastTool !== undefined && { tool: this.#tally.lastTool }),
      summary,
    });

  #tell(notice: Notice): void {
    const { id, subagentType: subagent_type, description: task_description } = this.#task;
    const isMessage = notice.type === "assistant" || notice.type === "user";
    this.#host.tell(isMessage ? { ...notice, agent_id: id, subagent_type, task_description } : notice);
  }
}

/** Replaces a subagent's conversation with a summary if it has almost filled its window; returns false if it is unchanged. */
async function compactSubagent(
  conversation: Conversation,
  { tokens, window }: { readonly tokens: number; readonly window: number },
  signal: AbortSignal,
): Promise<boolean> {
  const { history, record } = conversation;
  const plan = shouldCompact(tokens, window) ? planCompaction(history.messages) : undefined;
  if (!plan) return false;
  const summary = await writeSummary(conversation, plan.summarise, "", signal);
  if (!("text" in summary)) return false;
  const uuid = randomUUID();
  const content = summaryMessage(summary.text);
  history.replace([{ role: "user", content, uuids: [uuid] }, ...plan.keep]);
  record({ uuid, type: "user", message: { role: "user", content }, extra: { isCompactSummary: true } });
  return true;
}
