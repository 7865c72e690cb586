import { currentToolName } from "@agentwire/protocol/permission";
import { Checkpoints } from "../checkpoint/checkpoints.ts";
import { compact } from "../compact/compaction.ts";
import type { Config } from "../config/config.ts";
import { modelSources } from "../config/model-sources.ts";
import { optionsFromFlags } from "../context/host-options.ts";
import { NestedMemory } from "../context/nested-memory.ts";
import { ProjectFiles } from "../context/project-files.ts";
import { commandHooks } from "../hooks/command-hooks.ts";
import { HookRunner } from "../hooks/hook-runner.ts";
import { debugLog } from "../host/debug-log.ts";
import { Outlet } from "../host/outlet.ts";
import { anthropicModel } from "../model/anthropic.ts";
import { ModelCatalog } from "../model/catalog.ts";
import type { KnownProviders } from "../model/known-providers.ts";
import type { LiveModel } from "../model/live-model.ts";
import { ModelState } from "../model/model-state.ts";
import { routedModel } from "../model/routed-model.ts";
import { builtinCommands } from "../slash/builtin.ts";
import { WORKTREE_LINE } from "../store/entry.ts";
import { Records } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import { NO_AGENT_CONTEXT } from "../subagent/agent-context.ts";
import { structuredOutput } from "../tools/session/structured-output.ts";
import { createWorkspace } from "../tools/workspace.ts";
import { restoredCosts } from "../turn/costs.ts";
import { Held, weighAll } from "../turn/held.ts";
import { History } from "../turn/history.ts";
import { switchModel } from "../turn/model-switch.ts";
import { OwnWorktree } from "../worktree/own-worktree.ts";
import { Worktrees } from "../worktree/worktrees.ts";
import { backgroundWaiter } from "./background.ts";
import type { SessionContext, SessionInputs } from "./context.ts";
import { contextText, contextUsage } from "./context-report.ts";
import { DeferredCall } from "./deferred-call.ts";
import { sessionGate } from "./gate.ts";
import { Inbox } from "./inbox.ts";
import { createIntake } from "./intake.ts";
import { keptPrompt } from "./kept-prompt.ts";
import { nextCall } from "./next-call.ts";
import { PromptSuggestions } from "./prompt-suggestions.ts";
import { sessionServers } from "./servers.ts";
import { sessionSandbox } from "./session-sandbox.ts";
import { modelPreferences } from "./session-settings.ts";
import { clearSession, compactable } from "./start.ts";
import { promptShell, sessionTools } from "./toolbox.ts";
import type { TurnLock } from "./turn-lock.ts";
import { announcedSettings } from "./watch-files.ts";

/** Builds the parts of a session, each from earlier ones; later parts are accessed lazily. */
export async function buildContext(
  given: SessionInputs,
  store: Store,
  turnLock: TurnLock,
  interrupt: () => void,
): Promise<SessionContext> {
  const { config, host, opening, model, complain, memory } = given;
  const { earlier, sessionId } = opening;
  const folderName = store.folderName(sessionId);

  // Output and storage.
  const log = debugLog(config, host, complain);
  const outlet = new Outlet(host, config.stateEvents, sessionId);
  const records = new Records(store, config, host, outlet, earlier?.lastUuid);
  const history = new History(earlier?.messages);
  const catalog = new ModelCatalog(given.providers);
  const costs = restoredCosts(earlier, catalog);
  const held = new Held();
  // Twice, because the last request holds a second copy.
  held.add(() => 2 * weighAll(history.messages));

  // Files and tools.
  const hostOptions = optionsFromFlags(config);
  const files = new ProjectFiles(config, hostOptions, given.settings.trust, complain);
  const checkpoints = new Checkpoints({
    configDir: config.configDir,
    sessionId: folderName,
    enabled: config.checkpointing,
    env: config.env,
    onUnsaved: (path) => complain(`agentwire-agent: ${path} could not be saved and can't be restored\n`),
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

  // Prompts.
  const inbox = new Inbox(
    (uuid, state) => outlet.tell({ type: "command_lifecycle", command_uuid: uuid, state }),
    {
      ...(earlier && { seen: earlier.promptIds, unanswered: earlier.unanswered }),
      queue: store.queue,
      turnLock,
      isHostGone: () => host.isGone,
    },
  );
  held.add(() => weighAll(inbox.waiting));
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
    held,
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
    // A model may know a tool by its former name.
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

/** The variables that a host may update while the agent runs: only credentials, nothing that changes behavior. */
const RENEWABLE: ReadonlySet<string> = new Set(["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"]);

/** Uses new tokens from the next model call; returns the names of the updated variables. Child processes never see them. */
function tokenRenewal(
  config: Config,
  model: LiveModel,
  providers: KnownProviders,
  models: Pick<ModelState, "reachClaude">,
): (variables: { readonly [name: string]: string }) => readonly string[] {
  let env = config.env;
  return (variables) => {
    const fresh = Object.entries(variables).filter(([name]) => RENEWABLE.has(name));
    if (fresh.length === 0) return [];
    env = { ...env, ...Object.fromEntries(fresh) };
    const sources = modelSources({ ...config, env }, {});
    if (sources.script === undefined) {
      model.replace(routedModel(anthropicModel(sources), providers, sources));
      models.reachClaude();
    }
    return fresh.map(([name]) => name);
  };
}
