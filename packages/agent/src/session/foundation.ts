import { currentToolName } from "@agentwire/protocol/permission";
import type { Log } from "@agentwire/protocol/support";
import { Checkpoints } from "../checkpoint/checkpoints.ts";
import type { Config } from "../config/config.ts";
import type { HostWishes } from "../context/host-wishes.ts";
import { firstWishes } from "../context/host-wishes.ts";
import { NestedMemory } from "../context/nested-memory.ts";
import { ProjectFiles } from "../context/project-files.ts";
import { commandHooks } from "../hooks/command-hooks.ts";
import { HookRunner } from "../hooks/hook-runner.ts";
import type { SettingsHook } from "../hooks/settings-hooks.ts";
import { debugLog } from "../host/debug-log.ts";
import type { HostLink } from "../host/host-link.ts";
import { Outlet } from "../host/outlet.ts";
import type { McpServers } from "../mcp/servers.ts";
import type { LongTermMemory } from "../memory/long-term-memory.ts";
import type { LiveModel } from "../model/live-model.ts";
import { ModelState } from "../model/model-state.ts";
import type { Settings, WritableSource } from "../settings/settings.ts";
import type { Withheld } from "../settings/untrusted.ts";
import type { Opening } from "../store/open-conversation.ts";
import { Records } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import type { Services } from "../turn/conversation.ts";
import { Costs } from "../turn/costs.ts";
import { History } from "../turn/history.ts";
import type { Baton } from "./baton.ts";
import { sessionServers } from "./mcp-setup.ts";
import { sessionGate } from "./session-gate.ts";
import { sessionWorkspace } from "./session-workspace.ts";
import { askTaskHooks } from "./task-hooks.ts";
import { CONFIG_SOURCES } from "./watch-files.ts";
import { watchedSettings } from "./watched-settings.ts";

/** What is known before there is a session. */
export interface Groundwork {
  readonly config: Config;
  readonly host: HostLink;
  readonly settings: Settings;
  readonly opening: Extract<Opening, { kind: "open" }>;
  readonly model: LiveModel;
  readonly complain: (text: string) => void;
  /** What is known from all sessions of the database, if there is one. */
  readonly memory: LongTermMemory | undefined;
  /** Whether the model can tell what is worth keeping there. */
  readonly consolidates: boolean;
  readonly store: Store;
  readonly baton: Baton;
}

/** Everything of a session that stands by itself, before there is a conversation in it. */
export interface Foundation extends Groundwork {
  readonly log: Log;
  readonly wishes: HostWishes;
  readonly outlet: Outlet;
  readonly records: Records;
  readonly history: History;
  readonly files: ProjectFiles;
  readonly checkpoints: Checkpoints;
  readonly mcp: McpServers;
  readonly services: Services;
  readonly commandHooks: () => readonly SettingsHook[];
  /** What the project's files say and nobody heeds, because the user does not trust their folder. */
  readonly withheld: () => Promise<readonly Withheld[]>;
}

/** Makes the parts of a session in the order in which they need each other. */
export async function layFoundation(ground: Groundwork): Promise<Foundation> {
  const { config, host, opening, model, complain, store } = ground;
  const { earlier } = opening;
  const log = debugLog(config, host, complain);
  const wishes = firstWishes(config);
  const outlet = new Outlet(host, config.stateEvents, opening.sessionId);
  const records = new Records(store, config, host, outlet, earlier?.lastUuid);
  const history = new History(earlier?.messages);
  const costs = new Costs();
  costs.contextTokens = earlier?.contextTokens ?? 0;
  if (earlier?.spent) costs.restore(earlier.spent);
  const files = new ProjectFiles(config, wishes, ground.settings.trust, complain);
  const checkpoints = new Checkpoints({
    configDir: config.configDir,
    sessionId: store.folderName(opening.sessionId),
    enabled: config.checkpointing,
    onUnsaved: (path) => complain(`agentwire-agent: ${path} could not be saved and can't be put back\n`),
  });
  const workspace = sessionWorkspace(config, outlet, checkpoints, store.folderName(opening.sessionId));
  const commands = commandHooks(ground.settings, files, config.bare, complain);
  const hooks = new HookRunner({
    host,
    commands,
    common: () => ({
      session_id: outlet.sessionId,
      transcript_path: records.path ?? "",
      cwd: workspace.cwd,
      ...(outlet.promptId !== undefined && { prompt_id: outlet.promptId }),
      permission_mode: services.gate.mode,
      ...(services.models.effort !== undefined && { effort: { level: services.models.effort } }),
    }),
    cwd: () => workspace.cwd,
    projectDir: config.cwd,
    env: config.env,
    groups: workspace.tasks.groups,
    tell: outlet.tell,
    reportAll: config.flags.has("include-hook-events"),
  });
  const settings = watchedSettings(ground.settings, (source) => {
    if (!hooks.listens("ConfigChange")) return;
    const facts = { source: CONFIG_SOURCES[source], file_path: pathOf(ground.settings, source) };
    void hooks.run("ConfigChange", facts, { signal: new AbortController().signal });
  });
  askTaskHooks(workspace.todos, hooks);
  const { servers: mcp, withheld } = await sessionServers({
    config,
    settings,
    host,
    log,
    groups: workspace.tasks.groups,
    hooks,
    tell: outlet.tell,
    complain,
  });
  const gate = sessionGate({ config, settings, host, outlet, hooks, mcp, workspace, log });
  const services: Services = {
    config,
    manner: () => host.manner,
    model,
    models: new ModelState(model, modelWishes(config, settings)),
    gate,
    hooks,
    workspace,
    costs,
    nestedMemory: new NestedMemory(config, files),
    // A model may know a tool by the name that it had before.
    toolNamed: (name) => wishes.toolAliases.get(name) ?? currentToolName(name),
  };
  return {
    ...ground,
    settings,
    log,
    wishes,
    outlet,
    records,
    history,
    files,
    checkpoints,
    mcp,
    services,
    commandHooks: commands,
    withheld: async () => [...settings.withheld, ...withheld, ...(await files.load()).withheld],
  };
}

function pathOf({ files }: Settings, source: WritableSource): string | undefined {
  return files.find((file) => file.source === source)?.path;
}

function modelWishes(
  { model, modelNames, fallbackModels, thinking, maxReplyTokens, effort }: Config,
  { effective }: Settings,
) {
  const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);
  return {
    name: model ?? textOf(effective.model),
    names: modelNames,
    fallbacks: fallbackModels,
    thinking,
    maxReplyTokens,
    effort: effort ?? textOf(effective.effortLevel),
  };
}
