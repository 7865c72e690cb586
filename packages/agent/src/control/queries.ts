import { constants } from "node:fs";
import { open, stat } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { type Handlers, ProtocolError } from "@agentwire/protocol";
import type { hostRequests, ResponseOf } from "@agentwire/protocol/control";
import type { PluginFolder } from "../config/from-flags.ts";
import { WIRE_VERSION } from "../config/version.ts";
import { namedServers, type Plugin, readPlugins } from "../context/plugins.ts";
import { listHooks } from "../hooks/listing.ts";
import { offeredModels } from "../model/models.ts";
import type { SessionContext } from "../session/context.ts";
import { contextUsage } from "../session/context-report.ts";
import { startPluginServers } from "../session/servers.ts";
import type { Session } from "../session/session.ts";
import { describeSettings } from "../settings/describe-settings.ts";
import { readOutputTail } from "../tasks/output-tail.ts";
import { suggestFiles } from "./file-suggestions.ts";
import { commandsOf, pluginFolder, promptCommand } from "./initialize.ts";

type Answer<S extends keyof typeof hostRequests> = ResponseOf<typeof hostRequests, S>;

/** Requests that only read state. */
export function queryControls(session: Session): Handlers<typeof hostRequests> {
  const { context } = session;
  const { config, settings, gate, workspace, files, models, costs, hostOptions, inbox, history } = context;
  return {
    list_models: () => ({ models: offeredModels(config.modelNames, models.catalog) }),
    get_binary_version: () => ({ version: WIRE_VERSION }),
    get_context_usage: () => contextUsage(context),
    get_session_cost: () => ({
      text:
        costs.totalUsd === undefined ? "The cost is not known." : `Total cost: $${costs.totalUsd.toFixed(4)}`,
    }),
    get_usage: () => ({
      session: {
        total_cost_usd: costs.totalUsd ?? 0,
        total_api_duration_ms: costs.apiMs,
        total_duration_ms: Math.round(process.uptime() * 1000),
        total_lines_added: workspace.edited.added,
        total_lines_removed: workspace.edited.removed,
        model_usage: costs.byModel,
      },
      subscription_type: null,
      rate_limits_available: false,
      rate_limits: null,
      behaviors: null,
    }),
    get_settings: async () => ({
      ...(describeSettings(settings, await context.withheld()) as Answer<"get_settings">),
      applied: { model: models.current, effort: models.effort ?? null },
    }),
    list_permission_rules: () => ({ state: gate.describeRules() }) as Answer<"list_permission_rules">,
    get_hooks_listing: () => listHooks(context.commandHooks(), settings),
    get_task_output: async ({ task_id }) => {
      const task = workspace.tasks.get(task_id);
      if (!task) throw new ProtocolError("refused", `No task found with ID: ${task_id}`);
      return readOutputTail(task.outputFile);
    },
    async reload_skills() {
      await files.reload();
      const skills = [...files.known.prompts.values()].filter(({ kind }) => kind === "skill");
      return { skills: skills.map(promptCommand) };
    },
    async reload_plugins({ add_plugins: added = [], refuse_if_busy, hold_on_cache_impact: holds }) {
      if (refuse_if_busy && (session.isRunning || inbox.length > 0))
        throw new ProtocolError("refused", "the session is busy; try again when it is idle", {
          errorCode: "reload_plugins_busy",
        });
      const relative = added.find(({ path }) => !isAbsolute(path));
      if (relative) throw new ProtocolError("refused", `${relative.path} is not an absolute path`);
      const wanted = [...hostOptions.plugins, ...added.map(pluginFolder)];
      // Before the first turn, nothing has been cached.
      const impact =
        holds && history.messages.length > 0 ? await pluginImpact(files.known.plugins, wanted) : undefined;
      if (impact) return { ...pluginListing(context), held: true, cache_impact: impact };
      hostOptions.plugins = wanted;
      await files.reload();
      await startPluginServers(context);
      return { ...pluginListing(context), ...(holds && { held: false }) };
    },
    reload_output_styles: async () => ({
      available_output_styles: [...(await files.reload()).outputStyles.keys()],
    }),
    read_file: ({ path, max_bytes, encoding }) =>
      readFile(resolve(workspace.cwd, path), max_bytes ?? MAX_READ_BYTES, encoding === "base64"),
    async seed_read_state({ path, mtime }) {
      const absolute = resolve(workspace.cwd, path);
      const found = await stat(absolute).catch(() => undefined);
      if (found && Math.floor(found.mtimeMs) <= mtime)
        workspace.files.set(absolute, { mtimeMs: found.mtimeMs, whole: true });
      return {};
    },
    file_suggestions: async ({ query }, { signal }) => ({
      suggestions: await suggestFiles(workspace.cwd, query, signal),
      cwd: workspace.cwd,
    }),
  };
}

function pluginListing(session: SessionContext) {
  const { agents, plugins } = session.files.known;
  return {
    commands: commandsOf(session),
    agents: [...agents].map(([name, { description }]) => ({ name, description })),
    plugins: plugins
      .filter(({ isMissing }) => !isMissing)
      .map(({ name, path, version }) => ({
        name,
        path,
        ...(version !== undefined && { version }),
      })),
    mcpServers: [...session.mcp.status()],
    error_count: plugins.reduce((count, { problems }) => count + problems.length, 0),
  };
}

const MAX_READ_BYTES = 1_048_576;

async function readFile(path: string, maxBytes: number, asBase64: boolean) {
  // Without O_NONBLOCK, opening a pipe would wait for its other end.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause: Error) => {
    throw new ProtocolError("refused", `can't read ${path}: ${cause.message}`, {
      cause,
      errorCode: "read_denied",
    });
  });
  try {
    const found = await file.stat();
    if (!found.isFile())
      throw new ProtocolError("refused", `can't read ${path}: it is not a regular file`, {
        errorCode: "read_denied",
      });
    const { size } = found;
    const buffer = Buffer.alloc(Math.min(size, maxBytes));
    await file.read(buffer, 0, buffer.length, 0);
    return {
      contents: buffer.toString(asBase64 ? "base64" : "utf8"),
      absPath: path,
      ...(size > maxBytes && { truncated: true }),
      ...(asBase64 && { encoding: "base64" }),
    };
  } finally {
    await file.close();
  }
}

/** How loading other plugins would change the tools offered to the model. */
interface PluginImpact {
  readonly mcp_servers_added: string[];
  readonly mcp_servers_removed: string[];
  readonly lsp_tool_change: null;
}

/** How loading these plugins would change the tools of a session; undefined if it would not. */
async function pluginImpact(
  known: readonly Plugin[],
  wanted: readonly PluginFolder[],
): Promise<PluginImpact | undefined> {
  const before = serverNames(known);
  const after = serverNames(await readPlugins(wanted));
  const mcp_servers_added = [...after].filter((name) => !before.has(name));
  const mcp_servers_removed = [...before].filter((name) => !after.has(name));
  if (mcp_servers_added.length + mcp_servers_removed.length === 0) return undefined;
  return { mcp_servers_added, mcp_servers_removed, lsp_tool_change: null };
}

const serverNames = (plugins: readonly Plugin[]) =>
  new Set(plugins.flatMap((plugin) => Object.keys(namedServers(plugin))));
