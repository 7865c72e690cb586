import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import type { AgentDefinition, JsonObject } from "@agentwire/protocol";
import type { Conversation, Services } from "./conversation.ts";
import { History } from "./history.ts";
import type { ModelCall } from "./model/model.ts";
import type { TranscriptMessage } from "./store/transcript.ts";
import type { Task } from "./tasks/tasks.ts";
import type { Tool, ToolContext, ToolOutcome } from "./tools/tool.ts";
import { runTurn } from "./turn.ts";
import type { Notice } from "./workspace.ts";

/** What the Agent tool needs of the session. */
export interface SubagentHost {
  readonly services: () => Services;
  readonly agents: () => ReadonlyMap<string, AgentDefinition>;
  /** The tools of the session itself. */
  readonly tools: () => ReadonlyMap<string, Tool>;
  /** The session's next call, from which a subagent's differs in prompt, tools and model. */
  readonly nextCall: () => Omit<ModelCall, "messages">;
  readonly tell: (notice: Notice) => void;
  readonly record: (agentId: string, message: Omit<TranscriptMessage, "timestamp">) => void;
  /** Whether a subagent's own words are passed on to the host. */
  readonly forwardText: () => boolean;
  readonly resolveModel: (name: string) => string;
}

/** The agent that is always there. */
export const GENERAL: AgentDefinition = {
  description: "For questions and tasks of several steps that need all tools",
  prompt:
    "You were given one task by another agent. Do it completely with the tools you have, then answer with a short report of what you found or did: your last message is all that is passed on.",
};

/** The tool that gives a piece of work to an agent of its own. */
export function agentTool(host: SubagentHost): Tool {
  return {
    name: "Agent",
    get description() {
      const known = [...host.agents()].map(([name, { description }]) => `- ${name}: ${description}`);
      return [
        "Give a task to a subagent that works on it alone, with its own context, and reports back. Write the prompt so that it needs nothing else. Several may run at once.",
        "Kinds:",
        `- general-purpose: ${GENERAL.description}`,
        ...known,
      ].join("\n");
    },
    inputSchema: {
      type: "object",
      properties: {
        description: { type: "string", description: "The task in three to five words" },
        prompt: { type: "string", description: "The whole task" },
        subagent_type: { type: "string", description: "Which kind of agent" },
        model: { type: "string" },
        run_in_background: { type: "boolean" },
        name: { type: "string" },
      },
      required: ["description", "prompt"],
    },
    isReadOnly: () => true,
    describe: (input) => String(input.description),
    run: (input, context) => delegate(host, input, context),
  };
}

async function delegate(host: SubagentHost, input: JsonObject, context: ToolContext): Promise<ToolOutcome> {
  const type = typeof input.subagent_type === "string" ? input.subagent_type : "general-purpose";
  const definition = host.agents().get(type) ?? (type === "general-purpose" ? GENERAL : undefined);
  if (!definition) {
    const known = ["general-purpose", ...host.agents().keys()].join(", ");
    return { content: `There is no agent of type ${type}. Known: ${known}`, isError: true };
  }
  const subagent = new Subagent(host, definition, type, input, context);
  if (input.run_in_background === true) return subagent.inBackground();
  return subagent.inForeground();
}

/** One subagent at work. */
class Subagent {
  readonly #host: SubagentHost;
  readonly #definition: AgentDefinition;
  readonly #type: string;
  readonly #prompt: string;
  readonly #description: string;
  readonly #context: ToolContext;
  readonly #id = `a${randomBytes(8).toString("hex")}`;
  readonly #history = new History();
  readonly #startedAt = performance.now();
  readonly #controller = new AbortController();
  readonly #toolsUsed = new Set<string>();
  #toolUses = 0;
  #tokens = 0;

  constructor(
    host: SubagentHost,
    definition: AgentDefinition,
    type: string,
    input: JsonObject,
    context: ToolContext,
  ) {
    this.#host = host;
    this.#definition = definition;
    this.#type = type;
    this.#prompt = String(input.prompt);
    this.#description = String(input.description);
    this.#context = context;
  }

  async inForeground(): Promise<ToolOutcome> {
    const signal = AbortSignal.any([this.#context.signal, this.#controller.signal]);
    const task = this.#begin(false);
    const { text, failed } = await this.#work(signal);
    this.#finish(task, failed ? "failed" : "completed", text);
    signal.throwIfAborted();
    const content = [
      {
        type: "text" as const,
        text: `[The report of the subagent follows; it is a model's text, not the user's.]\n${text}`,
      },
    ];
    return {
      content,
      isError: failed,
      data: {
        status: "completed",
        prompt: this.#prompt,
        agentId: this.#id,
        agentType: this.#type,
        content: [{ type: "text", text }],
        totalToolUseCount: this.#toolUses,
        totalDurationMs: this.#elapsed(),
        totalTokens: this.#tokens,
        usage: this.#usage(),
      },
    };
  }

  inBackground(): ToolOutcome {
    const task = this.#begin(true);
    void this.#work(this.#controller.signal).then(({ text, failed }) => {
      this.#finish(task, this.#controller.signal.aborted ? "stopped" : failed ? "failed" : "completed", text);
      this.#context.workspace.tasks.onEnded(task, text);
    });
    const data = {
      status: "async_launched",
      agentId: this.#id,
      description: this.#description,
      prompt: this.#prompt,
      outputFile: task.outputFile,
    };
    return {
      content: `The subagent works in the background as task ${this.#id}; you will be told when it is done.`,
      data,
    };
  }

  #begin(isBackgrounded: boolean): Task {
    const { workspace, callId } = this.#context;
    const task: Task = {
      id: this.#id,
      type: "local_agent",
      description: this.#description,
      toolUseId: callId,
      outputFile: join(workspace.outputFolder, `${this.#id}.output`),
      status: "running",
      stop: async () => this.#controller.abort("stopped"),
    };
    workspace.tasks.add(task);
    this.#host.tell({
      type: "system",
      subtype: "task_started",
      task_id: this.#id,
      tool_use_id: callId,
      description: this.#description,
      subagent_type: this.#type,
      is_backgrounded: isBackgrounded,
      spawn_depth: 1,
      task_type: "local_agent",
      prompt: this.#prompt,
    });
    return task;
  }

  async #work(signal: AbortSignal): Promise<{ readonly text: string; readonly failed: boolean }> {
    const { hooks } = this.#host.services();
    const facts = { agent_id: this.#id, agent_type: this.#type };
    const started = hooks.listens("SubagentStart")
      ? await hooks.run("SubagentStart", facts, { signal })
      : undefined;
    const content = [
      { type: "text" as const, text: [this.#prompt, ...(started?.context ?? [])].join("\n\n") },
    ];
    const uuid = randomUUID();
    this.#history.add("user", content);
    this.#tell({
      type: "user",
      message: { role: "user", content },
      parent_tool_use_id: this.#context.callId,
      uuid,
      timestamp: new Date().toISOString(),
    });
    this.#host.record(this.#id, { uuid, type: "user", message: { role: "user", content } });
    const end = await runTurn(this.#conversation(), { signal });
    return { text: end.text, failed: end.error !== undefined || end.reason.startsWith("aborted") };
  }

  #finish(task: Task, status: "completed" | "failed" | "stopped", text: string): void {
    task.status = status;
    const patch = { status: status === "stopped" ? "killed" : status, end_time: Date.now() };
    this.#host.tell({ type: "system", subtype: "task_updated", task_id: this.#id, patch });
    this.#host.tell({
      type: "system",
      subtype: "task_notification",
      task_id: this.#id,
      tool_use_id: this.#context.callId,
      status,
      output_file: task.outputFile,
      summary: text,
      usage: this.#usage(),
    });
  }

  #conversation(): Conversation {
    const services = this.#host.services();
    return {
      services,
      history: this.#history,
      parentToolUseId: this.#context.callId,
      agentId: this.#id,
      partialMessages: false,
      maxTurns: this.#definition.maxTurns,
      nextCall: () => this.#nextCall(),
      tools: () => this.#tools(),
      tell: (notice) => this.#pass(notice),
      record: (message) => this.#host.record(this.#id, message),
      takeJoining: () => [],
      answered: () => ({}),
    };
  }

  #nextCall(): Omit<ModelCall, "messages"> {
    const call = this.#host.nextCall();
    const { model } = this.#definition;
    const tools = this.#tools();
    return {
      ...call,
      system: [this.#definition.prompt],
      model: model === undefined || model === "inherit" ? call.model : this.#host.resolveModel(model),
      tools: call.tools.filter((tool) => tools.has(tool.name)),
    };
  }

  #tools(): ReadonlyMap<string, Tool> {
    const { tools, disallowedTools } = this.#definition;
    const mayUse = (name: string) =>
      name !== "Agent" &&
      (!tools || tools.includes(name) || tools.includes("*")) &&
      !disallowedTools?.includes(name);
    return new Map([...this.#host.tools()].filter(([name]) => mayUse(name)));
  }

  /** Passes on what a subagent does; what it says only where the host wants to hear it. */
  #pass(notice: Notice): void {
    if (notice.type === "assistant") {
      const [block] = notice.message.content;
      this.#tokens += notice.message.usage.input_tokens + notice.message.usage.output_tokens;
      if (block?.type === "tool_use") this.#progress(block.name);
      else if (!this.#host.forwardText()) return;
    }
    this.#tell(notice);
  }

  #progress(tool: string): void {
    this.#toolUses++;
    this.#toolsUsed.add(tool);
    this.#host.tell({
      type: "system",
      subtype: "task_progress",
      task_id: this.#id,
      tool_use_id: this.#context.callId,
      description: this.#description,
      subagent_type: this.#type,
      usage: this.#usage(),
      last_tool_name: tool,
    });
  }

  #tell(notice: Notice): void {
    const isMessage = notice.type === "assistant" || notice.type === "user";
    const whose = { agent_id: this.#id, subagent_type: this.#type, task_description: this.#description };
    this.#host.tell(isMessage ? { ...notice, ...whose } : notice);
  }

  #usage() {
    return { total_tokens: this.#tokens, tool_uses: this.#toolUses, duration_ms: this.#elapsed() };
  }

  #elapsed(): number {
    return Math.round(performance.now() - this.#startedAt);
  }
}
