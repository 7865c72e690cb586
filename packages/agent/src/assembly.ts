import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type JsonObject, type PermissionMode, silentLog } from "@agentwire/protocol";
import type { ReadyAgent } from "./assemble.ts";
import { Checkpoints } from "./checkpoint/checkpoints.ts";
import { shouldCompact } from "./compact/threshold.ts";
import { compactSession } from "./compaction.ts";
import type { Config } from "./config.ts";
import type { ProjectContext } from "./context/context.ts";
import { loadContext } from "./context/load.ts";
import { contextText, contextUsage } from "./context-report.ts";
import { Costs } from "./costs.ts";
import { deferred } from "./deferred.ts";
import { History } from "./history.ts";
import { HookRunner } from "./hooks/hook-runner.ts";
import type { HostLink } from "./host-link.ts";
import { Inbox } from "./inbox.ts";
import { initMessage, WIRE_VERSION } from "./init.ts";
import type { McpServers } from "./mcp/servers.ts";
import { mcpServersOf } from "./mcp-setup.ts";
import type { Model, ModelCall } from "./model/model.ts";
import { ModelState, resolveModel } from "./model-state.ts";
import type { Opening } from "./open-conversation.ts";
import { createGate } from "./permission/create-gate.ts";
import type { Gate } from "./permission/gate.ts";
import type { HostWishes, Runtime } from "./runtime.ts";
import { Session } from "./session.ts";
import type { Settings } from "./settings/settings.ts";
import { builtinCommands } from "./slash/builtin.ts";
import { openTranscript } from "./store/jsonl.ts";
import { copyHistory } from "./store/load.ts";
import { projectKey } from "./store/project-key.ts";
import type { Transcript, TranscriptMessage } from "./store/transcript.ts";
import { agentTool } from "./subagent.ts";
import { systemPrompt } from "./system-prompt.ts";
import { Tasks } from "./tasks/tasks.ts";
import { builtinTools, isOffered, toModelTools } from "./toolbox.ts";
import { FileStates } from "./tools/file-states.ts";
import { skillTool } from "./tools/session/skill.ts";
import { type StructuredOutput, structuredOutput } from "./tools/session/structured-output.ts";
import { toolSearch } from "./tools/session/tool-search.ts";
import { TodoList } from "./tools/todo-list.ts";
import type { Tool } from "./tools/tool.ts";
import type { Workspace } from "./workspace.ts";

/** How long a session that has no more prompts waits for what still runs in the background, unless the environment says otherwise. */
const BACKGROUND_CEILING_MS = 600_000;

/** The construction of one agent: each part is made once, in the order in which they need each other. */
export class Assembly {
  readonly #config: Config;
  readonly #host: HostLink;
  readonly #complain: (text: string) => void;
  readonly #opening: Extract<Opening, { kind: "open" }>;
  readonly #settings: Settings;
  readonly #model: Model;
  readonly #state: ModelState;
  readonly #costs = new Costs();
  readonly #history: History;
  readonly #wishes: HostWishes;
  readonly #transcripts = new Map<string, Transcript>();
  #context: Promise<ProjectContext> | undefined;
  #known: ProjectContext | undefined;
  #structured: StructuredOutput | undefined;
  #contextTokens = 0;
  #session: Session | undefined;

  constructor(
    config: Config,
    host: HostLink,
    complain: (text: string) => void,
    opening: Extract<Opening, { kind: "open" }>,
    settings: Settings,
    model: Model,
  ) {
    this.#config = config;
    this.#host = host;
    this.#complain = complain;
    this.#opening = opening;
    this.#settings = settings;
    this.#model = model;
    const named = typeof settings.effective.model === "string" ? settings.effective.model : undefined;
    this.#state = new ModelState(model, config.model ?? named, config.thinking);
    this.#history = new History(opening.earlier?.messages.map(({ role, content }) => ({ role, content })));
    this.#structured = config.jsonSchema === undefined ? undefined : structuredOutput(config.jsonSchema);
    this.#wishes = {
      systemPrompt: config.flags.text("system-prompt"),
      appendSystemPrompt: config.flags.text("append-system-prompt"),
      agents: new Map(),
      forwardSubagentText: config.flags.has("forward-subagent-text"),
      title: config.flags.text("name"),
    };
  }

  async build(): Promise<ReadyAgent> {
    const config = this.#config;
    const mcp = await mcpServersOf(config, this.#host, this.#complain);
    const checkpoints = this.#checkpoints();
    const workspace = this.#workspace(checkpoints);
    const hooks = this.#hooks(workspace);
    const gate = this.#gate(hooks, mcp);
    const services = { config, model: this.#model, gate, hooks, workspace, costs: this.#costs };
    const inbox = new Inbox(
      (uuid, state) => session.tell({ type: "command_lifecycle", command_uuid: uuid, state }),
      this.#opening.earlier?.promptIds,
    );
    const ownTools = builtinTools(config, () => gate);
    const tools = (): ReadonlyMap<string, Tool> =>
      new Map(
        [...ownTools, ...special, ...mcp.tools(), ...(this.#structured ? [this.#structured.tool] : [])].map(
          (tool) => [tool.name, tool],
        ),
      );
    const nextCall = (): Omit<ModelCall, "messages"> => this.#nextCall(tools(), workspace, gate);
    const special = this.#specialTools(services, tools, nextCall, (notice) => session.tell(notice));
    const session: Session = new Session({
      services,
      host: this.#host,
      inbox,
      history: this.#history,
      structured: () => this.#structured,
      commands: builtinCommands({
        contextReport: async () => contextText(await usage()),
        compact: (s, wishes, signal) => compactSession(s, "manual", wishes, this.#contextTokens, signal),
        clear: (s) => this.#clear(s, workspace),
        setModel: async (name) =>
          (await this.#state.set(name))?.message ?? `The model is now ${this.#state.current}.`,
        model: () => this.#state.current,
      }),
      prompts: async () => (await this.#load()).prompts,
      transcript: this.#openTranscript(this.#opening.sessionId, this.#opening.earlier?.lastUuid),
      sessionId: this.#opening.sessionId,
      init: () => this.#init(session, tools(), mcp, workspace, gate),
      nextCall,
      tools,
      start: (signal) => this.#start(hooks, signal),
      ready: async (signal) => {
        await Promise.all([mcp.settled(signal), this.#load()]);
      },
      makeRoom: (signal) => this.#makeRoom(session, signal),
      beginCheckpoint: (uuid) => void checkpoints.begin(uuid),
    });
    this.#session = session;
    if (this.#opening.copied.length > 0) copyHistory(this.#opening.copied, session.parts.transcript);
    const usage = async (): Promise<JsonObject> =>
      contextUsage(nextCall(), this.#history.messages, await this.#load(), this.#state.contextWindow);
    const runtime: Runtime = {
      config,
      host: this.#host,
      session,
      settings: this.#settings,
      gate,
      hooks,
      mcp,
      model: this.#state,
      checkpoints,
      workspace,
      wishes: this.#wishes,
      handshake: Promise.resolve(),
      context: () => this.#load(),
      reloadContext: () => this.#load(true),
      contextUsage: usage,
      setSchema: (schema) => {
        this.#structured = structuredOutput(schema);
      },
    };
    workspace.tasks.onEnded = (task, summary) => inbox.add(taskPrompt(task, summary));
    return {
      kind: "ready",
      runtime,
      inputEnded: () => void this.#closeInbox(inbox, workspace.tasks),
      close: () => this.#close(runtime),
    };
  }

  #checkpoints(): Checkpoints {
    return new Checkpoints({
      configDir: this.#config.configDir,
      sessionId: this.#opening.sessionId,
      enabled: this.#config.checkpointing,
      onUnsaved: (path) =>
        this.#complain(`agentwire-agent: ${path} could not be saved and can't be put back\n`),
    });
  }

  #workspace(checkpoints: Checkpoints): Workspace {
    const { cwd, home, env, temporaryFolder, flags } = this.#config;
    const outputFolder = join(
      temporaryFolder,
      `agentwire-${process.getuid?.() ?? 0}`,
      projectKey(cwd),
      this.#opening.sessionId,
      "tasks",
    );
    return {
      cwd,
      roots: [cwd, ...flags.list("add-dir")],
      home,
      env,
      outputFolder,
      files: new FileStates(),
      tasks: new Tasks(),
      todos: new TodoList(),
      beforeChange: (path) => checkpoints.beforeChange(path),
      tell: (notice) => this.#session?.tell(notice),
    };
  }

  #hooks(workspace: Workspace): HookRunner {
    return new HookRunner({
      host: this.#host,
      settings: () => this.#settings.effective,
      common: () => ({
        session_id: this.#session?.parts.sessionId ?? this.#opening.sessionId,
        transcript_path: this.#session?.parts.transcript.path ?? "",
        cwd: workspace.cwd,
        permission_mode: this.#session?.parts.services.gate.mode,
      }),
      cwd: () => workspace.cwd,
      env: this.#config.env,
      tell: (notice) => this.#session?.tell(notice),
      reportAll: this.#config.flags.has("include-hook-events"),
    });
  }

  #gate(hooks: HookRunner, mcp: McpServers): Gate {
    const { flags, cwd, home, hasHost } = this.#config;
    const skips = flags.has("dangerously-skip-permissions");
    const mode = skips ? "bypassPermissions" : flags.text("permission-mode");
    return createGate({
      settings: this.#settings,
      cwd,
      home,
      allowedTools: flags.list("allowedTools"),
      disallowedTools: flags.list("disallowedTools"),
      additionalDirectories: flags.list("add-dir"),
      log: silentLog,
      ...(mode !== undefined && { mode: (mode === "manual" ? "default" : mode) as PermissionMode }),
      allowBypass: skips || flags.has("allow-dangerously-skip-permissions"),
      hasHost,
      prompts: flags.text("permission-prompts") === "none" ? "none" : "host",
      ask: async (request, signal) => {
        this.#session?.state("requires_action");
        try {
          return await this.#host.request("can_use_tool", request as never, { signal });
        } finally {
          this.#session?.state("running");
        }
      },
      onModeChanged: (permissionMode) =>
        this.#session?.tell({ type: "system", subtype: "status", status: null, permissionMode }),
      runPermissionRequestHooks: async (request, signal) => {
        if (!hooks.listens("PermissionRequest")) return undefined;
        const { tool_name, input, permission_suggestions } = request as JsonObject;
        return (
          await hooks.run(
            "PermissionRequest",
            { tool_name, tool_input: input, permission_suggestions },
            { signal },
          )
        ).permission;
      },
      mcpServerOf: (name) => mcp.tools().find((tool) => tool.name === name)?.mcp as never,
    });
  }

  #specialTools(
    services: Session["parts"]["services"],
    tools: () => ReadonlyMap<string, Tool>,
    nextCall: () => Omit<ModelCall, "messages">,
    tell: Session["tell"],
  ): readonly Tool[] {
    const special = [
      toolSearch(tools),
      skillTool(async () => (await this.#load()).prompts),
      agentTool({
        services: () => services,
        agents: () => this.#known?.agents ?? new Map(),
        tools,
        nextCall,
        tell,
        record: (agentId, message) => this.#recordSubagent(agentId, message),
        forwardText: () => this.#wishes.forwardSubagentText,
        resolveModel,
      }),
    ];
    return special.filter(isOffered(this.#config));
  }

  #nextCall(tools: ReadonlyMap<string, Tool>, workspace: Workspace, gate: Gate): Omit<ModelCall, "messages"> {
    const style = this.#settings.effective.outputStyle;
    const thinking = this.#state.thinking;
    return {
      model: this.#state.current,
      system: systemPrompt({
        given: this.#wishes.systemPrompt,
        append: this.#wishes.appendSystemPrompt,
        cwd: workspace.cwd,
        roots: workspace.roots,
        model: this.#state.current,
        memory: this.#known?.memory ?? "",
        outputStyle: (typeof style === "string" && this.#known?.outputStyles.get(style)) || "",
        isPlanMode: gate.mode === "plan",
      }),
      tools: toModelTools(tools.values()),
      maxTokens: this.#state.maxTokens,
      ...(thinking && { thinking }),
    };
  }

  #init(
    session: Session,
    tools: ReadonlyMap<string, Tool>,
    mcp: McpServers,
    workspace: Workspace,
    gate: Gate,
  ) {
    const context = this.#known;
    const prompts = [...(context?.prompts.values() ?? [])];
    return initMessage({
      cwd: workspace.cwd,
      roots: [...workspace.roots, ...gate.directories.filter((folder) => !workspace.roots.includes(folder))],
      model: this.#state.current,
      mode: gate.mode,
      tools: [...tools.keys()],
      mcpServers: mcp.status(),
      commands: [...session.parts.commands.list.map(({ name }) => name), ...prompts.map(({ name }) => name)],
      agents: ["general-purpose", ...(context?.agents.keys() ?? [])],
      skills: prompts.filter(({ kind }) => kind === "skill").map(({ name }) => name),
      outputStyle: "default",
      apiKeySource: this.#config.env.ANTHROPIC_API_KEY ? "ANTHROPIC_API_KEY" : "none",
    });
  }

  async #load(again = false): Promise<ProjectContext> {
    const { configDir, cwd, home, flags } = this.#config;
    if (again) this.#context = undefined;
    const given = flags.text("setting-sources");
    const sources = new Set(
      given === undefined ? ["user", "project", "local"] : given.split(",").filter(Boolean),
    );
    this.#context ??= loadContext({ configDir, cwd, home, sources, agents: this.#wishes.agents });
    this.#known = await this.#context;
    return this.#known;
  }

  #openTranscript(sessionId: string, lastUuid?: string): Transcript {
    const { configDir, cwd, flags, env } = this.#config;
    return openTranscript({
      configDir,
      cwd,
      sessionId,
      persist: !flags.has("no-session-persistence"),
      version: WIRE_VERSION,
      ...(env.CLAUDE_CODE_ENTRYPOINT && { entrypoint: env.CLAUDE_CODE_ENTRYPOINT }),
      ...(lastUuid !== undefined && { lastUuid }),
      ...(flags.has("session-mirror") && {
        mirror: (filePath: string, entries: readonly JsonObject[]) =>
          this.#host.send({ type: "transcript_mirror", filePath, entries: [...entries] }),
      }),
      onLost: (code) =>
        this.#session?.tell({
          type: "system",
          subtype: "session_writes_lost",
          error_code: code,
          lost: ["transcript"],
        }),
    });
  }

  #recordSubagent(agentId: string, message: Omit<TranscriptMessage, "timestamp">): void {
    const { configDir, cwd, flags } = this.#config;
    const transcript =
      this.#transcripts.get(agentId) ??
      openTranscript({
        configDir,
        cwd,
        sessionId: this.#session?.parts.sessionId ?? this.#opening.sessionId,
        persist: !flags.has("no-session-persistence"),
        version: WIRE_VERSION,
        subagent: { agentId, agentType: "" } as never,
        onLost() {},
      });
    this.#transcripts.set(agentId, transcript);
    transcript.append({ ...message, timestamp: new Date().toISOString() });
  }

  async #clear(session: Session, workspace: Workspace): Promise<void> {
    await session.parts.transcript.flush();
    const id = randomUUID();
    session.tell({
      type: "conversation_reset",
      new_conversation_id: id,
      uuid: id,
      trigger: "clear",
      timestamp: new Date().toISOString(),
    });
    session.tell({ type: "system", subtype: "background_tasks_changed", tasks: [] });
    session.parts.sessionId = randomUUID();
    session.parts.transcript = this.#openTranscript(session.parts.sessionId);
    this.#history.replace([]);
    this.#costs.reset();
    workspace.files.clear();
  }

  async #makeRoom(session: Session, signal: AbortSignal): Promise<void> {
    const { turnUsage } = this.#costs;
    const tokens =
      turnUsage.input_tokens + turnUsage.cache_read_input_tokens + turnUsage.cache_creation_input_tokens;
    this.#contextTokens = tokens || this.#contextTokens;
    if (shouldCompact(this.#contextTokens, this.#state.contextWindow))
      await compactSession(session, "auto", "", this.#contextTokens, signal);
  }

  /** Runs before the first turn; what the hooks add is part of the conversation from the start. */
  async #start(hooks: HookRunner, signal: AbortSignal): Promise<void> {
    if (!hooks.listens("SessionStart")) return;
    const source = this.#opening.earlier ? (this.#opening.copied.length > 0 ? "fork" : "resume") : "startup";
    const said = await hooks.run("SessionStart", { source, model: this.#state.current }, { signal });
    for (const text of said.context)
      this.#history.add("user", [{ type: "text", text: `<system-reminder>\n${text}\n</system-reminder>` }]);
  }

  async #closeInbox(inbox: Inbox, tasks: Tasks): Promise<void> {
    const given = this.#config.env.CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS;
    const ceiling = given === undefined ? BACKGROUND_CEILING_MS : Number(given);
    const late = deferred<void>();
    const timer = ceiling > 0 ? setTimeout(() => late.resolve(), ceiling) : undefined;
    const signal = new AbortController();
    void late.promise.then(() => signal.abort());
    for (let [task] = tasks.running(); task && !signal.signal.aborted; [task] = tasks.running())
      await tasks.whenEnded(task, signal.signal);
    clearTimeout(timer);
    inbox.close();
  }

  async #close({ session, hooks, workspace, mcp }: Runtime): Promise<void> {
    if (hooks.listens("SessionEnd"))
      await hooks.run("SessionEnd", { reason: "other" }, { signal: AbortSignal.timeout(5000) });
    await Promise.all([workspace.tasks.stopAll(), mcp.close(), session.parts.transcript.flush()]);
  }
}

/** A finished task starts a turn of its own: the model is told what became of it. */
function taskPrompt(
  task: {
    readonly id: string;
    readonly description: string;
    readonly status: string;
    readonly outputFile: string;
  },
  summary: string,
) {
  const content = `<task-notification>\nTask ${task.id} (${task.description}) is ${task.status}. ${summary}\nIts output is in ${task.outputFile}\n</task-notification>`;
  return {
    uuid: randomUUID(),
    named: false,
    content,
    priority: "later" as const,
    query: true,
    synthetic: true,
    verbatim: true,
  };
}
