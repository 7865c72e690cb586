import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { errorMessage } from "@agentwire/protocol/support";
import { checkServer } from "../mcp/config/check.ts";
import { UsageError } from "../usage-error.ts";
import { type Command, type CommandCall, readOptions } from "./command.ts";
import {
  changeServers,
  fileOf,
  forgetApprovals,
  keptServers,
  SCOPE_NAMES,
  type Scope,
  scopeOf,
} from "./mcp-files.ts";
import { unknownServer } from "./mcp-list.ts";

const SCOPE = { scope: { type: "string", short: "s" } } as const;

/** `mcp add`: adds a program or a URL as a server. */
export const add: Command = async (call) => {
  const { values, positionals } = readOptions(call.args, {
    ...SCOPE,
    transport: { type: "string", short: "t" },
    env: { type: "string", short: "e", multiple: true },
    header: { type: "string", short: "H", multiple: true },
  });
  const [name, place, ...rest] = positionals;
  if (place === undefined) throw new UsageError("mcp add needs a name and a command or URL");
  const transport = values.transport === "streamable-http" ? "http" : (values.transport ?? "stdio");
  const headers = pairs(values.header, ":", "--header");
  const server =
    transport === "stdio"
      ? { type: transport, command: place, args: rest, env: pairs(values.env, "=", "--env") }
      : { type: transport, url: place, ...(Object.keys(headers).length > 0 && { headers }) };
  if (transport === "stdio" && /^https?:\/\//.test(place))
    call.complain(
      `Warning: ${place} is treated as a command; for a URL, use --transport http or --transport sse.\n`,
    );
  const what = transport === "stdio" ? `command: ${[place, ...rest].join(" ")}` : `URL: ${place}`;
  const kind = transport === "stdio" ? transport : transport.toUpperCase();
  return keep(call, name, server, scopeOf(values.scope), `Added ${kind} MCP server ${name} with ${what}`);
};

/** `mcp add-json`: adds a server given as JSON. */
export const addJson: Command = async (call) => {
  const { values, positionals } = readOptions(call.args, SCOPE);
  const [name, text] = positionals;
  if (text === undefined) throw new UsageError("mcp add-json needs a name and a server as JSON");
  const server = parse(text);
  return keep(
    call,
    name,
    server,
    scopeOf(values.scope),
    `Added ${server.type ?? "stdio"} MCP server ${name}`,
  );
};

/** `mcp remove`: removes a server from the given scope, or from the only one that has it. */
export const remove: Command = async ({ config, args, print, complain }) => {
  const { values, positionals } = readOptions(args, SCOPE);
  const [name] = positionals;
  const all = await keptServers(config);
  const scopes = all.filter((server) => server.name === name).map(({ scope }) => scope);
  const wanted = values.scope === undefined ? undefined : scopeOf(values.scope);
  const [scope, ...others] = wanted === undefined ? scopes : scopes.filter((found) => found === wanted);
  if (name === undefined || scope === undefined) {
    complain(
      scopes.length > 0
        ? `No MCP server named "${name}" in ${wanted} config; it is in ${scopes.join(", ")}.\n`
        : unknownServer(name, all),
    );
    return 1;
  }
  if (others.length > 0) {
    const places = scopes.map(
      (found) => `  ${SCOPE_NAMES[found]}: agentwire-agent mcp remove ${name} -s ${found}\n`,
    );
    complain(`MCP server "${name}" exists in multiple scopes; name one of them:\n${places.join("")}`);
    return 1;
  }
  await changeServers(scope, config, ({ [name]: _, ...servers }) => servers);
  print(`Removed MCP server ${name} from ${scope} config\nFile modified: ${fileOf(scope, config)}\n`);
  return 0;
};

/** `mcp reset-project-choices`: makes sessions ask again about the project's servers. */
export const resetChoices: Command = async ({ config, print }) => {
  await forgetApprovals(config);
  print("Approvals and rejections of this project's .mcp.json servers have been reset.\n");
  return 0;
};

async function keep(
  { config, print, complain }: CommandCall,
  name = "",
  server: JsonObject,
  scope: Scope,
  done: string,
): Promise<number> {
  if (!/^[\w-]+$/.test(name))
    throw new UsageError(`${name}: a name may contain only letters, numbers, hyphens and underscores`);
  const checked = checkServer(server);
  if (typeof checked === "string") throw new UsageError(`the server ${name} is invalid: ${checked}`);
  const all = await keptServers(config);
  if (all.some((other) => other.name === name && other.scope === scope)) {
    complain(`MCP server ${name} already exists in ${scope} config\n`);
    return 1;
  }
  await changeServers(scope, config, (servers) => ({ ...servers, [name]: server }));
  print(`${done} to ${scope} config\nFile modified: ${fileOf(scope, config)}\n`);
  return 0;
}

function pairs(given: readonly string[] = [], separator: string, flag: string): { [name: string]: string } {
  return Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf(separator);
      if (at < 1)
        throw new UsageError(`${flag} ${text}: write it as NAME${separator} VALUE`.replace("= ", "="));
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    }),
  );
}

function parse(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch (cause) {
    throw new UsageError(`the server is not JSON: ${errorMessage(cause)}`, {
      cause,
    });
  }
  throw new UsageError("the server is not a JSON object");
}
