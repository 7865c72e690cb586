import { ProcessGroups } from "@agentwire/local/process";
import type { JsonObject } from "@agentwire/protocol";
import { silentLog } from "@agentwire/protocol/support";
import type { Config } from "../config/config.ts";
import { VERSION } from "../config/version.ts";
import { createMcpServers } from "../mcp/mcp-servers.ts";
import { settingsOf } from "../session/session-settings.ts";
import { type Command, readOptions } from "./command.ts";
import { configuredServers, isApproved, type KeptServer, keptServers, SCOPE_NAMES } from "./mcp-files.ts";

const PENDING =
  "⏸ Pending approval (list the servers you approve under enabledMcpjsonServers in .claude/settings.local.json)";

const UNTRUSTED =
  "⏸ Not started: the folder is not trusted (agentwire-agent trust shows what trusting it would allow)";

/** `mcp list`: lists every server and whether it can be reached. */
export const list: Command = async ({ config, args, print, complain }) => {
  readOptions(args, {});
  const all = await keptServers(config);
  // If several have the same name, a session uses the first: local, project, user.
  const servers = all.filter(({ name }, i) => all.findIndex((other) => other.name === name) === i);
  if (servers.length === 0) {
    print("No MCP servers configured. Use `agentwire-agent mcp add` to add a server.\n");
    return 0;
  }
  complain("Checking MCP server health…\n\n");
  const states = await reach(config, servers);
  for (const { name, config: server } of servers)
    print(`${name}: ${placeOf(server)} - ${states.get(name) ?? "✘ Failed to connect"}\n`);
  return 0;
};

/** `mcp get`: shows one server in detail. */
export const get: Command = async ({ config, args, print, complain }) => {
  const { positionals } = readOptions(args, {});
  const servers = await keptServers(config);
  const server = servers.find(({ name }) => name === positionals[0]);
  if (!server) {
    complain(unknownServer(positionals[0], servers));
    return 1;
  }
  const { name, scope, config: kept } = server;
  const states = await reach(config, [server]);
  print(`${name}:
  Scope: ${SCOPE_NAMES[scope]}
  Status: ${states.get(name) ?? "✘ Failed to connect"}
  Type: ${kept.type ?? "stdio"}
${detailsOf(kept).join("\n")}

To remove this server, run: agentwire-agent mcp remove ${name} -s ${scope}
`);
  return 0;
};

/** Reports an unknown server, and lists the known ones. */
export function unknownServer(name: string | undefined, servers: readonly KeptServer[]): string {
  if (name === undefined) return "agentwire-agent mcp: the name of a server is missing\n";
  const names = [...new Set(servers.map((server) => server.name))].sort();
  return `No MCP server named "${name}". ${names.length > 0 ? `Configured servers: ${names.join(", ")}` : "There are none; add one with agentwire-agent mcp add."}\n`;
}

/** Connects to all servers at once, the way a session does, and returns the state of each. */
async function reach(config: Config, kept: readonly KeptServer[]): Promise<ReadonlyMap<string, string>> {
  const settings = await settingsOf(config);
  const { servers, problems } = await configuredServers(config, settings);
  const states = new Map(problems.map(({ where, message }) => [where, `✘ Failed to connect — ${message}`]));
  if (!settings.isTrusted)
    for (const { name, scope } of kept) if (scope === "project") states.set(name, UNTRUSTED);
  const reachable = [];
  for (const { name, scope, server } of servers) {
    if (!kept.some((wanted) => wanted.name === name)) continue;
    if (scope === "project" && !(await isApproved(name, config, settings.effective)))
      states.set(name, PENDING);
    else reachable.push([name, server] as const);
  }
  const { env, cwd, mcpConnectTimeoutMs } = config;
  const groups = new ProcessGroups();
  const set = createMcpServers({
    version: VERSION,
    send: async () => ({}),
    log: silentLog,
    env,
    cwd,
    groups,
    ...(mcpConnectTimeoutMs && { connectTimeoutMs: mcpConnectTimeoutMs }),
  });
  try {
    set.start(Object.fromEntries(reachable));
    await set.settled(new AbortController().signal);
    for (const { name, status, error } of set.status())
      states.set(name, status === "connected" ? "✔ Connected" : failure(status, error));
  } finally {
    await set.close();
    await groups.endAll();
  }
  return states;
}

const failure = (status: string, error: string | undefined) =>
  status === "needs-auth" ? "! Needs authentication" : `✘ Failed to connect${error ? ` — ${error}` : ""}`;

function placeOf({ type, url, command, args }: JsonObject): string {
  if (url !== undefined) return `${url} (${String(type).toUpperCase()})`;
  return [command, ...(Array.isArray(args) ? args : [])].join(" ");
}

function detailsOf({ url, command, args, env, headers }: JsonObject): readonly string[] {
  // Names only: values are often keys.
  const named = (title: string, values: unknown) =>
    values && Object.keys(values).length > 0 ? [`  ${title}: ${Object.keys(values).join(", ")}`] : [];
  if (url !== undefined) return [`  URL: ${url}`, ...named("Headers", headers)];
  return [
    `  Command: ${command}`,
    `  Args: ${Array.isArray(args) ? args.join(" ") : ""}`,
    ...named("Environment", env),
  ];
}
