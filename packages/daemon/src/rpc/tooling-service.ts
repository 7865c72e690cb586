import {
  ConfigScope,
  type HookSchema,
  type ListedMcpServerSchema,
  type ToolingService,
} from "@agentwire/api";
import { HostError } from "@agentwire/host";
import type { McpServerStatus } from "@agentwire/protocol/control";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type { Daemon } from "../daemon.ts";
import { DaemonError } from "../errors.ts";
import { folderName } from "../permission/folder-name.ts";
import type { FileScope, Surroundings } from "../tooling/config-files.ts";
import {
  addHook,
  type FileHook,
  hookEvents,
  matchHooks,
  readHooks,
  removeHook,
} from "../tooling/hook-files.ts";
import { type FileServer, readServers, removeServer, setServer, targetOf } from "../tooling/mcp-files.ts";
import { callerOf } from "./caller.ts";
import { checkFolder } from "./check-request.ts";

const SCOPES: Readonly<Record<FileScope, ConfigScope>> = {
  user: ConfigScope.USER,
  project: ConfigScope.PROJECT,
  local: ConfigScope.LOCAL,
};
const ANSWER_MS = 20_000;

/** Lists, adds and removes MCP servers and hooks, and asks agents about their servers. */
export function toolingService(daemon: Daemon): ServiceImpl<typeof ToolingService> {
  const { registry, redact, store } = daemon;
  const around = (given: string): Surroundings => {
    const { defaultFolder, env, home } = daemon.config;
    if (given !== "") checkFolder(given);
    return { cwd: folderName(given || defaultFolder), env, home };
  };
  /** Applies a change and records who made it; affected sessions continue with a new process, which reads the new files. */
  const changed = async (
    { cwd }: Surroundings,
    scope: FileScope,
    note: { readonly kind: "mcp" | "hook"; readonly action: "added" | "removed"; readonly detail: string },
    actor: string,
    change: () => Promise<void>,
  ) => {
    await change();
    await store.write([daemon.audit({ ...note, actor, subject: `${scope} ${cwd}` })]);
    await daemon.runner.forgetSpares();
    await registry.renew(scope === "user" ? "/" : cwd);
    return {};
  };
  const agentOf = async (sessionId: string) => (await registry.get(sessionId)).agent;

  return {
    async listMcpServers({ sessionId, cwd }) {
      const folder = sessionId === "" ? cwd : (await registry.get(sessionId)).record.cwd;
      const { servers, problems } = await readServers(around(folder));
      const agent = sessionId === "" ? undefined : await agentOf(sessionId);
      const live = agent && (await agent.request("mcp_status", {}, { deadlineMs: ANSWER_MS }).catch(told));
      return {
        servers: joined(servers, live?.mcpServers ?? []).map((server) => ({
          ...server,
          target: redact(server.target ?? ""),
          error: redact(server.error ?? ""),
        })),
        isLive: live !== undefined,
        problems: [...problems],
      };
    },

    async setMcpServer({ cwd, scope, ...wanted }, context) {
      const place = around(cwd);
      const where = scopeOf(scope);
      const note = { kind: "mcp", action: "added", detail: wanted.name } as const;
      return changed(place, where, note, callerOf(context), () => setServer(place, where, wanted));
    },

    async removeMcpServer({ cwd, scope, name }, context) {
      const place = around(cwd);
      const where = scopeOf(scope);
      const note = { kind: "mcp", action: "removed", detail: name } as const;
      return changed(place, where, note, callerOf(context), () => removeServer(place, where, name));
    },

    async reconnectMcpServer({ sessionId, name }) {
      const agent = await agentOf(sessionId);
      if (!agent)
        throw new DaemonError("AGENT_FAILED", "this session has no running agent: send a prompt first");
      await agent.request("mcp_reconnect", { serverName: name }, { deadlineMs: ANSWER_MS }).catch(told);
      return {};
    },

    async listHooks({ cwd }) {
      const { hooks, disabledBy, problems } = await readHooks(around(cwd));
      return { hooks: hooks.map(toHook), disabledBy, problems: [...problems], events: hookEvents };
    },

    async addHook({ cwd, scope, ...wanted }, context) {
      const place = around(cwd);
      const where = scopeOf(scope);
      const note = { kind: "hook", action: "added", detail: `${wanted.event}: ${wanted.command}` } as const;
      const hook = { ...wanted, timeoutSeconds: wanted.timeoutSeconds };
      return changed(place, where, note, callerOf(context), () => addHook(place, where, hook));
    },

    async removeHook({ cwd, scope, id }, context) {
      const place = around(cwd);
      const where = scopeOf(scope);
      const note = { kind: "hook", action: "removed", detail: id } as const;
      return changed(place, where, note, callerOf(context), () => removeHook(place, where, id));
    },

    async matchHooks({ cwd, event, subject }) {
      return { hooks: (await matchHooks(around(cwd), event, subject)).map(toHook) };
    },
  };
}

function told(error: unknown): never {
  if (error instanceof HostError) throw new DaemonError("AGENT_FAILED", error.message, { cause: error });
  throw error;
}

function scopeOf(scope: ConfigScope): FileScope {
  const found = (Object.keys(SCOPES) as FileScope[]).find((name) => SCOPES[name] === scope);
  if (!found) throw new DaemonError("INVALID_ARGUMENT", "scope: choose user, project or local");
  return found;
}

const HOOK_SCOPES = {
  ...SCOPES,
  managed: ConfigScope.MANAGED,
  plugin: ConfigScope.PLUGIN,
} as const satisfies Readonly<Record<FileHook["scope"], ConfigScope>>;

const toHook = ({ scope, ...hook }: FileHook): MessageInitShape<typeof HookSchema> => ({
  ...hook,
  scope: HOOK_SCOPES[scope],
});

type Listed = MessageInitShape<typeof ListedMcpServerSchema>;

/** Merges the servers in files with their state in a running agent, including those that only the agent knows. */
function joined(files: readonly FileServer[], live: readonly McpServerStatus[]): readonly Listed[] {
  const known = new Map(live.map((status) => [status.name, status]));
  const named = files.map(({ name, scope, target }) => ({
    ...stateOf(known.get(name)),
    ...{ name, target, scope: SCOPES[scope] },
  }));
  const others = live.filter(({ name }) => !files.some((file) => file.name === name));
  return [
    ...named,
    ...others.map((status) => ({ ...stateOf(status), name: status.name, target: targetOf(status.config) })),
  ];
}

function stateOf(status: McpServerStatus | undefined): Listed {
  if (!status) return {};
  const { error = "", serverInfo, tools = [] } = status;
  return {
    state: status.status,
    error,
    identity: serverInfo ? `${serverInfo.name} ${serverInfo.version}`.trim() : "",
    tools: tools.map(({ name, description = "" }) => ({ name, description })),
  };
}
