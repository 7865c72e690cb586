import { currentToolName } from "@agentwire/protocol/permission";
import { Checkpoints, copyCheckpoints } from "../checkpoint/checkpoints.ts";
import { compact } from "../compact/compaction.ts";
import type { Config } from "../config/config.ts";
import { modelSources } from "../config/model-sources.ts";
import { optionsFromFlags } from "../context/host-options.ts";
import { NestedMemory } from "../context/nested-memory.ts";
import { ProjectFiles } from "../context/project-files.ts";
import { tidyOutputs } from "../files/output-folder.ts";
import { commandHooks } from "../hooks/command-hooks.ts";
import { HookRunner } from "../hooks/hook-runner.ts";
import { debugLog } from "../host/debug-log.ts";
import type { HostLink } from "../host/host-link.ts";
import { Outlet } from "../host/outlet.ts";
import type { LongTermMemory } from "../memory/long-term-memory.ts";
import { ModelCatalog } from "../model/catalog.ts";
import { chooseModel } from "../model/choose-model.ts";
import { LiveModel } from "../model/live-model.ts";
import { ModelState } from "../model/model-state.ts";
import { builtinCommands } from "../slash/builtin.ts";
import { WORKTREE_LINE } from "../store/entry.ts";
import { fileStore } from "../store/files.ts";
import { copyHistory } from "../store/load.ts";
import { Records } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import { NO_AGENT_CONTEXT } from "../subagent/agent-context.ts";
import { checkSchema, structuredOutput } from "../tools/session/structured-output.ts";
import { createWorkspace } from "../tools/workspace.ts";
import { restoredCosts } from "../turn/costs.ts";
import { History } from "../turn/history.ts";
import { switchModel } from "../turn/model-switch.ts";
import { OwnWorktree } from "../worktree/own-worktree.ts";
import { Worktrees } from "../worktree/worktrees.ts";
import { backgroundWaiter, taskPrompt } from "./background.ts";
import type { SessionContext, SessionInputs } from "./context.ts";
import { contextText, contextUsage } from "./context-report.ts";
import { DeferredCall } from "./deferred-call.ts";
import { sessionGate } from "./gate.ts";
import { HostInput } from "./host-input.ts";
import { Inbox } from "./inbox.ts";
import { createIntake } from "./intake.ts";
import { keptPrompt } from "./kept-prompt.ts";
import { nextCall } from "./next-call.ts";
import { PromptSuggestions } from "./prompt-suggestions.ts";
import { sessionServers } from "./servers.ts";
import { Session } from "./session.ts";
import { checkSandbox, sessionSandbox } from "./session-sandbox.ts";
import { modelPreferences, readSettings, type StartupError, withSettingsEnv } from "./session-settings.ts";
import { clearSession, compactable } from "./start.ts";
import { enterWorktree } from "./start-worktree.ts";
import { tokenRenewal } from "./token-renewal.ts";
import { promptShell, sessionTools } from "./toolbox.ts";
import { TurnLock } from "./turn-lock.ts";
import { announcedSettings, watchFiles } from "./watch-files.ts";

/** A session that is ready to serve. */
export interface ReadyAgent {
  readonly kind: "ready";
  readonly session: Session;
  /** Ends everything the session started. */
  close(): Promise<void>;
}

/** An agent, or why it refuses to start. */
export type AssembleResult = ReadyAgent | StartupError;

/** What a session may have from outside. */
export interface SessionDependencies {
  /** Where it is kept; as files unless said otherwise. */
  readonly store?: Store;
  /** Shared by sessions that take turns. */
  readonly turnLock?: TurnLock;
  /** Shared by sessions that talk to the same model. */
  readonly choose?: typeof chooseModel;
  /** Shared by the sessions of a database. */
  readonly memory?: LongTermMemory | undefined;
  /** Shared with the reader of the host's lines. */
  readonly hostInput?: HostInput;
}

/** How long the last hooks may take. */
const LAST_HOOKS_MS = 5000;

/** Puts a session together: what it is told to be, what it remembers, which model it talks to, and then its parts. */
export async function assemble(
  given: Config,
  host: HostLink,
  complain: (text: string) => void,
  dependencies: SessionDependencies = {},
): Promise<AssembleResult> {
  const {
    store = fileStore(given),
    choose = chooseModel,
    memory,
    hostInput = new HostInput(),
  } = dependencies;
  if (given.jsonSchema !== undefined) await checkSchema(given.jsonSchema);
  const settings = await readSettings(given, complain);
  if ("reason" in settings) return settings;
  const asked = withSettingsEnv(given, settings);
  const noSandbox = await checkSandbox(asked, settings, complain);
  if (noSandbox) return noSandbox;
  const [opening, choice] = await Promise.all([
    store.open(),
    choose(modelSources(asked, settings.effective)),
  ]);
  if (opening.kind === "refused") return opening;
  const consolidates = choice.kind !== "offline";
  if (!consolidates)
    complain(
      "agentwire-agent: no API key is set, so the offline demo answers; set ANTHROPIC_API_KEY to talk to Claude\n",
    );
  for (const fault of choice.providers.faults) complain(`agentwire-agent: ${fault}\n`);
  const config = { ...asked, modelNames: { ...asked.modelNames, standing: choice.standing } };
  const { providers } = choice;
  const model = new LiveModel(choice.model);
  const known = {
    config,
    host,
    complain,
    settings,
    opening,
    model,
    providers,
    memory,
    consolidates,
    hostInput,
  };
  const context = await build(known, store, dependencies.turnLock ?? new TurnLock(), () =>
    session.interrupt(),
  );
  const session = new Session(context);
  const close = begin(context);
  await takeOver(context);
  const refusal = await enterWorktree(context);
  if (refusal) await close();
  return refusal ?? { kind: "ready", session, close };
}

/** Builds the parts of a session, each from those before it; what comes later is asked for when it is needed. */
async function build(
  given: SessionInputs,
  store: Store,
  turnLock: TurnLock,
  interrupt: () => void,
): Promise<SessionContext> {
  const { config, host, opening, model, complain, memory } = given;
  const { earlier, sessionId } = opening;
  const folderName = store.folderName(sessionId);

  // What it says and what it keeps.
  const log = debugLog(config, host, complain);
  const outlet = new Outlet(host, config.stateEvents, sessionId);
  const records = new Records(store, config, host, outlet, earlier?.lastUuid);
  const history = new History(earlier?.messages);
  const catalog = new ModelCatalog(given.providers);
  const costs = restoredCosts(earlier, catalog);

  // What it works with.
  const hostOptions = optionsFromFlags(config);
  const files = new ProjectFiles(config, hostOptions, given.settings.trust, complain);
  const checkpoints = new Checkpoints({
    configDir: config.configDir,
    sessionId: folderName,
    enabled: config.checkpointing,
    env: config.env,
    onUnsaved: (path) => complain(`agentwire-agent: ${path} could not be saved and can't be put back\n`),
  });
  const sandbox = sessionSandbox({ config, settings: given.settings, folderName, gate: () => gate });
  const workspace = createWorkspace(config, outlet, checkpoints, folderName, sandbox);
  const commands = commandHooks(given.settings, files, config.bare, complain);
  const hooks = new HookRunner({
    host,
    commands,
    common: () => ({
      session_id: outlet.sessionId,
      transcript_path: records.path ?? "",
      cwd: workspace.cwd,
      ...(outlet.promptId !== undefined && { prompt_id: outlet.promptId }),
      permission_mode: gate.mode,
      ...(models.effort !== undefined && { effort: { level: models.effort } }),
    }),
    cwd: () => workspace.cwd,
    projectDir: config.cwd,
    env: config.env,
    groups: workspace.tasks.groups,
    tell: outlet.tell,
    reportAll: config.hookEvents,
    inside: () => ({ sandbox, roots: workspace.roots }),
  });
  workspace.todos.objection = async ({ event, id, todo }, signal) => {
    if (!hooks.listens(event)) return undefined;
    const said = await hooks.run(event, { task_id: id, task_subject: todo.content }, { signal });
    return said.block?.reason ?? said.stop?.reason;
  };
  const settings = announcedSettings(given.settings, hooks);
  const { groups } = workspace.tasks;
  const around = { config, settings, host, log, groups, hooks, tell: outlet.tell, workspace };
  const { servers: mcp, withheld } = await sessionServers({ ...around, complain });
  const gate = sessionGate({ ...around, outlet, mcp, sandbox });
  const models = new ModelState(model, { ...modelPreferences(config, settings), catalog });

  const worktrees = new Worktrees({ settings, hooks, env: config.env });
  const ownWorktree = new OwnWorktree(worktrees, (worktreeSession) =>
    records.note({ type: WORKTREE_LINE, worktreeSession, sessionId: outlet.sessionId }),
  );

  // What it does with prompts.
  const inbox = new Inbox(
    (uuid, state) => outlet.tell({ type: "command_lifecycle", command_uuid: uuid, state }),
    {
      ...(earlier && { seen: earlier.promptIds, unanswered: earlier.unanswered }),
      queue: store.queue,
      turnLock,
      isForsaken: () => host.isGone,
    },
  );
  const intake = createIntake({
    hooks,
    outlet,
    mcp,
    prompts: async () => (await files.load()).prompts,
    outputFolder: workspace.outputFolder,
    promptShell: promptShell({ gate, workspace }),
    rename: (title) => records.rename(title),
  });
  const tools = sessionTools(
    { config, gate, files, workspace, mcp, memory, ownWorktree },
    () => context,
    interrupt,
  );
  const context: SessionContext = {
    ...given,
    settings,
    log,
    outlet,
    records,
    history,
    costs,
    hostOptions,
    files,
    checkpoints,
    workspace,
    hooks,
    worktrees,
    ownWorktree,
    mcp,
    gate,
    models,
    nestedMemory: new NestedMemory(config, files),
    expectations: () => host.expectations,
    // A model may know a tool by the name that it had before.
    toolNamed: (name) => hostOptions.toolAliases.get(name) ?? currentToolName(name),
    systemPrompt: keptPrompt({ opening, records, outlet }),
    tools,
    commands: commandsOf(() => context),
    inbox,
    intake,
    deferredCall: new DeferredCall(history, records, outlet, earlier?.deferredCall),
    suggestions: new PromptSuggestions({
      services: { config, gate, model, costs },
      settings,
      hostOptions,
      outlet,
      history,
      nextCall: () => nextCall(context),
    }),
    structured: config.jsonSchema === undefined ? undefined : structuredOutput(config.jsonSchema),
    played: NO_AGENT_CONTEXT,
    hasStarted: false,
    commandHooks: commands,
    withheld: async () => [...settings.withheld, ...withheld, ...(await files.load()).withheld],
    backgroundChange: backgroundWaiter(config, inbox, workspace.tasks),
    renewTokens: tokenRenewal(config, model, given.providers, models),
  };
  return context;
}

function commandsOf(session: () => SessionContext) {
  return builtinCommands({
    contextReport: async () => contextText(await contextUsage(session())),
    compact: (instructions, turn, signal) =>
      compact(
        compactable(session(), () => turn.open()),
        "manual",
        instructions,
        signal,
      ),
    clear: (signal) => clearSession(session(), signal),
    setModel: async (name, signal) =>
      (await switchModel(session(), name, "command", signal))?.message ??
      `The model is now ${session().models.current}.`,
    model: () => session().models.current,
    sandboxReport: () => session().workspace.sandbox?.report() ?? Promise.resolve("There is no sandbox."),
    costs: () => session().costs,
  });
}

/** Begins what happens beside the conversation; returns what ends it. */
function begin(context: SessionContext): () => Promise<void> {
  const { hooks, gate, workspace, inbox, host, suggestions, mcp, records } = context;
  const ending = new AbortController();
  const watch = watchFiles({ ...context, onSettings: () => gate.applySettings(), signal: ending.signal });
  watch.begin();
  void workspace.sandbox?.open(workspace.roots);
  workspace.tasks.onEnded = (task, summary) =>
    inbox.add(taskPrompt(task, summary, !host.expectations.injects));
  return async () => {
    suggestions.stop();
    watch.end();
    ending.abort();
    const signal = AbortSignal.timeout(LAST_HOOKS_MS);
    if (context.hasStarted && hooks.listens("SessionEnd"))
      await hooks.run("SessionEnd", { reason: "other" }, { signal });
    await workspace.tasks.stopAll(mcp.close());
    await workspace.sandbox?.close();
    await Promise.all([records.flush(), tidyOutputs(workspace.outputFolder)]);
  };
}

/** A fork begins with copies of what the session that it comes from had. */
async function takeOver({ opening, records, deferredCall, config }: SessionContext): Promise<void> {
  const { earlier, copied, sessionId } = opening;
  if (!earlier || copied.length === 0) return;
  copyHistory(copied, records.main);
  if (earlier.deferredCall) deferredCall.keep(earlier.deferredCall);
  await copyCheckpoints(config.configDir, earlier.sessionId, sessionId);
}
