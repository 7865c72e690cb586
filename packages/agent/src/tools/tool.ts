import type { JsonObject } from "@agentwire/protocol";
import type { ContentBlock } from "@agentwire/protocol/messages";
import type { Workspace } from "./workspace.ts";

/** Something the model can do. */
export interface Tool {
  readonly name: string;
  /** What it does and when to use it, for the model. */
  readonly description: string;
  /** JSON Schema of the input, for the model; before anything else, calls are checked against it and its defaults filled in. */
  readonly inputSchema: JsonObject;
  /** The MCP server that it belongs to; undefined for the agent's own tools, and for those that serve all servers. */
  readonly mcp?: McpOrigin;
  /** Normalizes the input for all readers; without it, the input stays as the model wrote it. */
  tidy?(input: JsonObject): JsonObject;
  /** Why a call can't work, determined before the permission question; `run` checks again. */
  refuse?(input: JsonObject, workspace: Workspace): Promise<string | undefined>;
  /** Whether a call changes nothing: such calls of one step run in parallel. */
  isReadOnly(input: JsonObject): boolean;
  /** What a call would do, in a few words for people: shown with a permission question. */
  describe?(input: JsonObject, workspace: Workspace): string | undefined;
  /** The text for the model if a hook has replaced the data of a call; undefined to show the data unchanged. */
  show?(data: JsonObject): string | undefined;
  /** Runs a call. A failure that the model should see is an outcome with `isError`; a throw counts as one, with its message. */
  run(input: JsonObject, context: ToolContext): Promise<ToolOutcome>;
}

/** The origin of a server's tool, for permission questions and for hosts that show it. */
export interface McpOrigin {
  readonly server: string;
  /** `sdk` for a server in the host, otherwise who configured it. */
  readonly source: string;
  /** Its name on the server. */
  readonly tool: string;
  /** Its name, as shown to people. */
  readonly displayName: string;
  /** Whether it must be in every request to the model and never be deferred. */
  readonly alwaysLoad: boolean;
}

/** What a tool gets besides its input. */
export interface ToolContext {
  /** The id of the `tool_use` block. */
  readonly callId: string;
  readonly workspace: Workspace;
  /** Fires on an interrupt: everything that runs must end, including all processes. */
  readonly signal: AbortSignal;
  /** Whether a rule closes a file, which is then left out of search results; absent if no rule closes any. */
  readonly isClosed?: ((path: string) => boolean) | undefined;
  /** Additional environment variables for the commands of this call. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Set if it was allowed only because it runs in the sandbox. */
  readonly sandboxed?: true;
}

/** How a call ended. */
export interface ToolOutcome {
  /** The content for the model. */
  readonly content: string | readonly ContentBlock[];
  /** The full text, if the model gets only a part of it. */
  readonly whole?: () => string;
  readonly isError?: boolean;
  /** What prevented the call, in the terms of `tool_result_meta`. */
  readonly remedy?: { readonly kind: string };
  /** The result as data, for hosts (`tool_use_result`); for an error it is `Error: <text>`. */
  readonly data?: unknown;
}

/** The MCP server that a tool belongs to, as reported to hosts and hooks; undefined for the agent's own tools. */
export function mcpServerOf(tool: Tool | undefined): { name: string; source: string } | undefined {
  const origin = tool?.mcp;
  return origin && { name: origin.server, source: origin.source };
}

/** The same as a field of a hook's input. */
export function mcpFacts(tool: Tool | undefined): { mcp_server?: { name: string; source: string } } {
  const server = mcpServerOf(tool);
  return server ? { mcp_server: server } : {};
}
