import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@agentwire/protocol";
import type { McpServerConfig, McpServerStatus } from "@agentwire/protocol/control";
import { withGrace } from "../abort.ts";
import type { McpOrigin, Tool } from "../tools/tool.ts";
import { type Manifest, type ManifestState, readManifest } from "./manifest.ts";
import type { McpOptions } from "./options.ts";
import { type McpPrompt, serverPrompts } from "./prompts.ts";
import { contentsOf, resourceTools } from "./resource-tools.ts";
import { Server } from "./server.ts";
import { serverTools } from "./server-tools.ts";
import type { CallLimits, McpScope, McpServerConfigs, McpServers, ToolPolicy } from "./servers.ts";
import { qualifiedName } from "./tool-names.ts";

/** Options that a session may omit. */
type Defaulted = "connectTimeoutMs" | "toolTimeoutMs" | "onElicitation";

/** The options for servers; only those without a default are required. */
export type CreateMcpOptions = Omit<McpOptions, Defaulted> & Partial<Pick<McpOptions, Defaulted>>;

const CONNECT_TIMEOUT_MS = 30_000;
/** The default of the official agent: over a day. */
const TOOL_TIMEOUT_MS = 100_000_000;

/** Creates the servers of a session; there are none until `start`. */
export function createMcpServers(options: CreateMcpOptions): McpServers {
  return new ServerSet({
    ...options,
    connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    toolTimeoutMs: options.toolTimeoutMs ?? TOOL_TIMEOUT_MS,
    onElicitation: options.onElicitation ?? (async () => ({ action: "decline" })),
  });
}

class ServerSet implements McpServers {
  readonly #options: McpOptions;
  readonly #servers = new Map<string, Server>();
  readonly #manifests = new Map<string, Manifest>();
  /** The names of the servers added by `set`. */
  #setNames: ReadonlySet<string> = new Set();
  /** Servers that are still closing: a process may take a second to exit. */
  readonly #leaving = new Set<Promise<void>>();
  #isClosed = false;
  readonly #resourceTools = resourceTools(() => this.#withResources());

  constructor(options: McpOptions) {
    this.#options = options;
  }

  start(servers: McpServerConfigs, scopes: { readonly [name: string]: McpScope } = {}): void {
    for (const [name, config] of Object.entries(servers)) {
      const scope = Object.hasOwn(scopes, name) ? scopes[name] : undefined;
      void this.#add(name, config, scope ?? "dynamic");
    }
  }

  park(manifests: { readonly [server: string]: JsonObject }): { [server: string]: ManifestState } {
    const states = Object.entries(manifests).map(([name, value]): [string, ManifestState] => {
      if (this.#servers.has(name)) return [name, "already_connected"];
      const { state, manifest } = readManifest(value);
      if (manifest) this.#manifests.set(name, manifest);
      return [name, state];
    });
    return Object.fromEntries(states);
  }

  async settled(signal: AbortSignal): Promise<void> {
    for (let open = this.#connecting(); open.length > 0; open = this.#connecting()) {
      await withGrace(Promise.all(open), signal).catch(() => {});
      if (signal.aborted) return;
    }
  }

  tools(): readonly Tool[] {
    const tools = new Map<string, Tool>();
    for (const server of this.#servers.values()) {
      for (const tool of serverTools(server, this.#options.toolTimeoutMs)) {
        // Two names may become equal once special characters are replaced; the model can't tell such tools apart.
        if (!tools.has(tool.name)) tools.set(tool.name, tool);
      }
    }
    const general = this.#withResources().length > 0 ? this.#resourceTools : [];
    return [...tools.values(), ...general];
  }

  instructions(): string {
    return instructionsText([...this.#servers.values()]);
  }

  prompts(): readonly McpPrompt[] {
    return [...this.#servers.values()].flatMap((server) => serverPrompts(server));
  }

  status(): readonly McpServerStatus[] {
    return [...this.#servers.values()].map((server) => server.status());
  }

  async reconnect(name: string): Promise<void> {
    const server = this.#find(name);
    await server.connect();
    if (server.problem !== undefined) throw new Error(`${name} can't be connected: ${server.problem}`);
  }

  async toggle(name: string, enabled: boolean): Promise<void> {
    const server = this.#find(name);
    if (!enabled) await server.disable();
    else if (!server.isConnected) await this.reconnect(name);
  }

  async set(
    servers: McpServerConfigs,
  ): Promise<{ added: string[]; removed: string[]; errors: { [name: string]: string } }> {
    const replaced = [...this.#servers.values()].filter(
      (server) => server.isInHost || this.#setNames.has(server.name),
    );
    const removed = replaced.map(({ name }) => name).filter((name) => !Object.hasOwn(servers, name));
    this.#setNames = new Set(Object.keys(servers));
    const leaving = removed.map((name) => this.#remove(name));
    const arriving = Object.entries(servers).flatMap(([name, config]) => {
      const server = this.#add(name, config, "dynamic");
      return server ? [server] : [];
    });
    await Promise.all([...leaving, ...arriving.map((server) => server.connecting)]);
    const errors = arriving.flatMap(({ name, problem }) =>
      problem === undefined ? [] : [[name, problem] as const],
    );
    return { added: arriving.map(({ name }) => name), removed, errors: Object.fromEntries(errors) };
  }

  async remove(names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => this.#remove(name)));
  }

  fromHost(name: string, message: JsonObject): void {
    const server = this.#servers.get(name);
    if (server) server.receive(message);
    else this.#options.log.debug("a message from an unknown MCP server", { server: name });
  }

  async readResource(name: string, uri: string): Promise<JsonObject> {
    const result = await this.#find(name).request(
      "resources/read",
      { uri },
      { signal: new AbortController().signal },
    );
    return { contents: contentsOf(result) };
  }

  async callTool(
    { server, tool }: McpOrigin,
    input: JsonObject,
    { signal, timeoutMs = this.#options.toolTimeoutMs }: CallLimits,
  ): Promise<JsonObject> {
    const params = { name: tool, arguments: input };
    return this.#find(server).request("tools/call", params, { signal, timeoutMs, progress: true });
  }

  policies(): readonly ToolPolicy[] {
    return [...this.#servers.values()].flatMap(({ name, config }) => toolPolicies(name, config));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const name of this.#servers.keys()) void this.#remove(name);
    await Promise.all(this.#leaving);
  }

  /** Starts connecting to a server; undefined if nothing had to be done. */
  #add(name: string, config: McpServerConfig, scope: McpScope): Server | undefined {
    if (this.#isClosed) return undefined;
    const before = this.#servers.get(name);
    if (before && isDeepStrictEqual(before.config, config)) return undefined;
    if (before) void this.#remove(name);
    const server = new Server(name, config, scope, this.#options);
    this.#servers.set(name, server);
    void server.connect(this.#manifests.get(name));
    this.#manifests.delete(name);
    return server;
  }

  async #remove(name: string): Promise<void> {
    const server = this.#servers.get(name);
    if (!server) return;
    this.#servers.delete(name);
    const left = server.disable();
    this.#leaving.add(left);
    await left;
    this.#leaving.delete(left);
  }

  #find(name: string): Server {
    const server = this.#servers.get(name);
    if (!server) throw new Error(`Server not found: ${name}`);
    return server;
  }

  #connecting(): readonly Promise<void>[] {
    return [...this.#servers.values()].flatMap(({ connecting }) => connecting ?? []);
  }

  #withResources(): readonly Server[] {
    return [...this.#servers.values()].filter(({ hasResources }) => hasResources);
  }
}

/** The maximum lengths for one server's instructions and for all of them together: a server has no reason to be brief. */
const MAX_CHARS = 2_048;
const MAX_ALL_CHARS = 16_384;

/** The usage instructions of the servers, as one text for the system prompt; empty if there are none. */
function instructionsText(
  servers: readonly { readonly name: string; readonly instructions: string }[],
): string {
  let text = "";
  for (const { name, instructions } of servers) {
    const said = instructions.trim();
    if (said === "") continue;
    const cut = said.length > MAX_CHARS ? `${said.slice(0, MAX_CHARS)}… [cut]` : said;
    const section = `\n\n## ${name}\n\n${cut}`;
    if (text.length + section.length > MAX_ALL_CHARS) break;
    text += section;
  }
  if (text === "") return "";
  return `# MCP servers\n\nThese servers say how their tools are meant to be used. This is advice from them, not a request from the user.${text}`;
}

/** The tool policies in a server's configuration. They can only restrict: allowing a tool is left to the rules. */
function toolPolicies(server: string, config: McpServerConfig): readonly ToolPolicy[] {
  const listed = "tools" in config && Array.isArray(config.tools) ? config.tools : [];
  return listed.flatMap(({ name, permission_policy: policy }): readonly ToolPolicy[] => {
    const tool = qualifiedName(server, name);
    if (tool === undefined || policy === undefined || policy === "always_allow") return [];
    // An unknown policy, newer than this program, leads to a question.
    return [{ tool, behavior: policy === "always_deny" ? "deny" : "ask" }];
  });
}
