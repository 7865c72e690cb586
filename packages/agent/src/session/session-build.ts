import type { AgentDefinition } from "@agentwire/protocol/control";
import { compact, makeRoom } from "../compact/compaction.ts";
import { plainPrompt } from "../prompt.ts";
import { builtinCommands } from "../slash/builtin.ts";
import { agentContext, NO_AGENT_CONTEXT } from "../subagent/agent-context.ts";
import { ownServers } from "../subagent/own-servers.ts";
import { skillTool } from "../tools/session/skill.ts";
import { type StructuredOutput, structuredOutput } from "../tools/session/structured-output.ts";
import { toolSearch } from "../tools/session/tool-search.ts";
import type { Tool } from "../tools/tool.ts";
import { reminder } from "../turn/history.ts";
import { switchModel } from "../turn/model-switch.ts";
import { nextCall } from "../turn/next-call.ts";
import { unfoundTools } from "../turn/tool-loading.ts";
import type { FileWatch } from "../watch/file-watch.ts";
import { withGrace } from "../with-grace.ts";
import { Arrivals } from "./arrivals.ts";
import type { ReadyAgent } from "./assemble.ts";
import { backgroundWaiter, taskPrompt } from "./background.ts";
import { clearSession } from "./clear.ts";
import { type ContextUsage, contextText, contextUsage } from "./context-report.ts";
import { type Foundation, type Groundwork, layFoundation } from "./foundation.ts";
import { Inbox } from "./inbox.ts";
import { createIntake } from "./intake.ts";
import { type KeptPrompt, keptPrompt } from "./kept-prompt.ts";
import { mainAgentOf, playAgent } from "./main-agent.ts";
import { startPluginServers } from "./mcp-setup.ts";
import { readMentions } from "./mentions.ts";
import { openContext } from "./opening-context.ts";
import { promptRefusal } from "./prompt-refusal.ts";
import { PromptSuggestions } from "./prompt-suggestions.ts";
import { PutOff } from "./put-off.ts";
import type { Runtime } from "./runtime.ts";
import { Session } from "./session.ts";
import { sessionAgents } from "./session-agents.ts";
import { sessionInit } from "./session-init.ts";
import type { SessionParts } from "./session-parts.ts";
import { tellWithheld } from "./tell-withheld.ts";
import { tidyOutputs } from "./tidy-outputs.ts";
import { tokenRenewal } from "./token-renewal.ts";
import { sessionTools } from "./toolbox.ts";
import { watchFiles } from "./watch-files.ts";

/** Builds a session on its foundation. */
export async function buildSession(ground: Groundwork): Promise<Omit<ReadyAgent, "kind">> {
  return new SessionBuild(await layFoundation(ground)).finish();
}

/** How long the last hooks may take. */
const LAST_HOOKS_MS = 5000;

class SessionBuild {
  readonly #base: Foundation;
  readonly #session: Session;
  readonly #tools: () => ReadonlyMap<string, Tool>;
  readonly #ending = new AbortController();
  readonly #watch: FileWatch;
  readonly #systemPrompt: KeptPrompt;
  #structured: StructuredOutput | undefined;
  /** The end of a session that has not begun is nobody's business. */
  #hasStarted = false;
  /** What the agent that the session plays is given beside its prompt. */
  #agentContext = NO_AGENT_CONTEXT;

  constructor(base: Foundation) {
    this.#base = base;
    const { config, mcp, files, services } = base;
    this.#structured = config.jsonSchema === undefined ? undefined : structuredOutput(config.jsonSchema);
    this.#tools = sessionTools({
      config,
      gate: () => services.gate,
      special: [
        ...(config.env.ENABLE_TOOL_SEARCH === "false" ? [] : [toolSearch(() => this.#tools())]),
        skillTool(files, promptRefusal(services)),
        sessionAgents({
          ...base,
          tools: () => this.#tools(),
          nextCall: () => this.#nextCall(),
          mayGoOn: () => this.#session.isWithinBudget,
          interrupt: () => this.#session.interrupt(),
        }),
        ...(base.memory?.tools() ?? []),
      ],
      changing: () => [...mcp.tools(), ...(this.#structured ? [this.#structured.tool] : [])],
      mainAgent: () => mainAgentOf(config, files),
    });
    this.#systemPrompt = keptPrompt(base);
    this.#watch = watchFiles({
      ...base,
      hooks: services.hooks,
      onSettings: () => services.gate.heedSettings(),
      signal: this.#ending.signal,
    });
    this.#session = new Session(this.#parts());
  }

  finish(): Omit<ReadyAgent, "kind"> {
    const { outlet, wishes, files, services, mcp, config, model, host } = this.#base;
    const { workspace, hooks, gate } = services;
    const runtime: Runtime = {
      ...this.#base,
      session: this.#session,
      gate,
      hooks,
      workspace,
      outlet,
      wishes,
      files,
      model: services.models,
      arrivals: new Arrivals(),
      contextUsage: () => this.#contextUsage(),
      startPluginServers: () => this.#startPluginServers(),
      setSchema: (schema) => {
        this.#structured = structuredOutput(schema);
      },
      rename: (title) => this.#rename(title),
      renewTokens: tokenRenewal(config, model),
    };
    const { inbox, records, suggestions } = this.#session.parts;
    const hasStarted = () => this.#hasStarted;
    const stopWatching = () => {
      this.#watch.end();
      this.#ending.abort();
    };
    this.#watch.begin();
    workspace.tasks.onEnded = (task, summary) => inbox.add(taskPrompt(task, summary, !host.manner.injects));
    return {
      runtime,
      async close() {
        suggestions.stop();
        stopWatching();
        const signal = AbortSignal.timeout(LAST_HOOKS_MS);
        if (hasStarted() && hooks.listens("SessionEnd"))
          await hooks.run("SessionEnd", { reason: "other" }, { signal });
        await workspace.tasks.stopAll(mcp.close());
        await Promise.all([records.flush(), tidyOutputs(workspace.outputFolder)]);
      },
    };
  }

  #parts(): SessionParts {
    const base = this.#base;
    const { config, outlet, records, history, services, mcp, checkpoints, opening } = base;
    const inbox = new Inbox(
      (uuid, state) => outlet.tell({ type: "command_lifecycle", command_uuid: uuid, state }),
      {
        ...(opening.earlier && { seen: opening.earlier.promptIds }),
        queue: base.store.queue,
        baton: base.baton,
        isForsaken: () => base.host.isGone,
      },
    );
    const commands = this.#commands();
    return {
      services,
      outlet,
      records,
      inbox,
      history,
      commands,
      putOff: new PutOff(history, records, outlet, opening.earlier?.putOff),
      intake: createIntake({
        hooks: services.hooks,
        outlet,
        mcp,
        prompts: async () => (await base.files.load()).prompts,
        outputFolder: services.workspace.outputFolder,
        refusal: promptRefusal(services),
        rename: (title) => this.#rename(title),
      }),
      mentioned: (prompts, signal) => readMentions({ ...services, tools: this.#tools }, prompts, signal),
      structured: () => this.#structured,
      suggestions: new PromptSuggestions({ ...base, nextCall: () => this.#nextCall() }),
      maxTurns: () => config.maxTurns ?? mainAgentOf(config, base.files)?.maxTurns,
      init: (named) => sessionInit({ ...base, ...services, commands, tools: this.#tools }, named),
      nextCall: () => this.#nextCall(),
      tools: this.#tools,
      start: (signal) => this.#start(signal),
      ready: async (signal) => {
        const switched = withGrace(services.models.settled(), signal).catch(() => {});
        await Promise.all([mcp.settled(signal), base.files.load(), switched]);
      },
      makeRoom: (signal, isRefused) => makeRoom(this.#renewable("compact"), signal, isRefused),
      beginCheckpoint: (uuid) => void checkpoints.begin(uuid),
      backgroundChange: backgroundWaiter(config, inbox, services.workspace.tasks),
      turnEnded: () => this.#turnEnded(),
    };
  }

  #commands() {
    const { services } = this.#base;
    return builtinCommands({
      contextReport: async () => contextText(await this.#contextUsage()),
      compact: (wishes, signal) => compact(this.#renewable("compact"), "manual", wishes, signal),
      clear: (signal) => clearSession(this.#renewable("clear"), signal),
      setModel: async (name, signal) =>
        (await switchModel(this.#base, name, "command", signal))?.message ??
        `The model is now ${services.models.current}.`,
      model: () => services.models.current,
      costs: services.costs,
    });
  }

  /** The session for those who begin its conversation anew. */
  #renewable(source: "clear" | "compact") {
    const base = this.#base;
    return {
      ...base,
      open: () => this.#session.open(),
      nextCall: () => this.#nextCall(),
      restart: (signal: AbortSignal) => {
        this.#systemPrompt.forget();
        return this.#open(source, signal);
      },
    };
  }

  /** The next call of the model; what it is told first may be what all later ones are told. */
  #nextCall(settle = (render: () => readonly string[]) => this.#systemPrompt.settle(render)) {
    const { config, files, wishes } = this.#base;
    return nextCall({
      ...this.#base,
      ...this.#base.services,
      tools: this.#tools,
      mainAgent: () => mainAgentOf(config, files),
      agentSystem: this.#agentContext.system,
      ...(wishes.keepsSystemPrompt && { settle }),
    });
  }

  async #contextUsage(): Promise<ContextUsage> {
    const { files, history, services } = this.#base;
    const context = await files.load();
    const { messages } = history;
    // Who only wants to know settles nothing.
    const look = (render: () => readonly string[]) => this.#systemPrompt.kept ?? render();
    const unfound = unfoundTools(this.#tools(), messages);
    return contextUsage(this.#nextCall(look), messages, unfound, context, services.models.contextWindow);
  }

  /** Runs before the first turn; what is said here is part of the conversation from the start. */
  async #start(signal: AbortSignal): Promise<void> {
    const { config, files, wishes, opening, services } = this.#base;
    this.#hasStarted = true;
    await files.load();
    await this.#startPluginServers();
    await tellWithheld(this.#base);
    const agent = mainAgentOf(config, files);
    const firstPrompt = playAgent(config, agent, { ...this.#base, ...services });
    if (agent) await this.#equip(agent);
    if (wishes.title !== undefined && wishes.title !== "") this.#rename(wishes.title);
    const source = opening.earlier ? (opening.copied.length > 0 ? "fork" : "resume") : "startup";
    await this.#open(source, signal);
    if (firstPrompt !== undefined) await this.#say(firstPrompt, signal);
  }

  /** Gives the session what the agent that it plays asks for. */
  async #equip(agent: AgentDefinition): Promise<void> {
    const { config, files, history, mcp } = this.#base;
    mcp.start(ownServers(agent));
    const name = config.flags.text("agent") ?? "";
    this.#agentContext = await agentContext(name, agent, { config, known: files.known });
    if (history.messages.length === 0) history.add("user", this.#agentContext.opening.map(reminder));
  }

  #open(source: Parameters<typeof openContext>[1], signal: AbortSignal): Promise<void> {
    const say = (prompt: string) => this.#say(prompt, signal);
    const rename = (title: string) => this.#rename(title);
    return openContext({ ...this.#base, ...this.#base.services, say, rename }, source, signal);
  }

  /** Begins the conversation with a prompt that the user did not write. */
  async #say(text: string, signal: AbortSignal): Promise<void> {
    const { intake, history, records, putOff } = this.#session.parts;
    if (text.trim() === "" || putOff.call) return;
    const { uuid, content } = await intake.expand(plainPrompt(text), signal);
    history.add("user", content, uuid);
    records.add({ uuid, type: "user", message: { role: "user", content } });
  }

  async #startPluginServers(): Promise<void> {
    const { mcp, files } = this.#base;
    const { plugins } = await files.load();
    await startPluginServers(mcp, plugins, this.#base);
  }

  /** What was said may be worth keeping; nobody waits for that. */
  #turnEnded(): void {
    const { memory, consolidates, services, outlet } = this.#base;
    memory?.turnEnded({
      services,
      tell: outlet.tell,
      mayGoOn: () => consolidates && this.#session.isWithinBudget,
    });
  }

  #rename(title: string): void {
    const { records, outlet } = this.#base;
    records.note({ type: "custom-title", customTitle: title, sessionId: outlet.sessionId });
  }
}
