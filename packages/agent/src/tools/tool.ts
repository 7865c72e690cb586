import type { JsonObject } from "@agentwire/protocol";
import type { ContentBlock } from "@agentwire/protocol/messages";
import type { Workspace } from "./workspace.ts";

/** Something the model can do. */
export interface Tool {
  readonly name: string;
  /** What it does and when to use it, for the model. */
  readonly description: string;
  /** JSON Schema of the input, for the model; a call is checked against it, and its defaults filled in, before anything else. */
  readonly inputSchema: JsonObject;
  /** The MCP server that it belongs to; nothing for tools of our own, and for those that serve all servers. */
  readonly mcp?: McpOrigin;
  /** The input as the tool means it, for everybody to see; without it, as the model wrote it. */
  tidy?(input: JsonObject): JsonObject;
  /** Why a call can't work, determined before the permission question; `run` checks again. */
  refuse?(input: JsonObject, workspace: Workspace): Promise<string | undefined>;
  /** Whether a call changes nothing: such calls of one step run side by side. */
  isReadOnly(input: JsonObject): boolean;
  /** What a call would do, in a few words for people: shown with a permission question. */
  describe?(input: JsonObject, workspace: Workspace): string | undefined;
  /** What the model sees of data of the kind that calls give, where a hook has changed them; undefined: the data as they are. */
  show?(data: JsonObject): string | undefined;
  /** Carries out a call. A failure the model should see is an outcome with `isError`; a throw counts as one, with its message. */
  run(input: JsonObject, context: ToolContext): Promise<ToolOutcome>;
}

/** Where a tool of a server comes from, for permission questions and for hosts that show it. */
export interface McpOrigin {
  readonly server: string;
  /** `sdk` for a server in the host, else who configured it. */
  readonly source: string;
  /** Its name at the server. */
  readonly tool: string;
  /** Its name for people. */
  readonly displayName: string;
  /** Whether it has to be in every request to the model, never put behind a search. */
  readonly alwaysLoad: boolean;
}

/** What a tool is given beside its input. */
export interface ToolContext {
  /** The id of the `tool_use` block. */
  readonly callId: string;
  readonly workspace: Workspace;
  /** Fires on interrupt: whatever runs must end, with all its processes. */
  readonly signal: AbortSignal;
  /** Whether a rule closes a file, which then stays out of what a search finds; absent where no rule closes any. */
  readonly isClosed?: ((path: string) => boolean) | undefined;
  /** What the commands of this call find in their environment beside that of the workspace. */
  readonly environment?: Readonly<Record<string, string>>;
  /** It was allowed only because it runs in the sandbox. */
  readonly sandboxed?: true;
}

/** How a call ended. */
export interface ToolOutcome {
  /** What the model sees. */
  readonly content: string | readonly ContentBlock[];
  /** All of it, where the model sees only a part. */
  readonly whole?: () => string;
  readonly isError?: boolean;
  /** What stood in its way, in the words of `tool_result_meta`. */
  readonly remedy?: { readonly kind: string };
  /** The same as data, for hosts (`tool_use_result`); an error's is `Error: <text>`. */
  readonly data?: unknown;
}

/** The MCP server that a tool belongs to, as hosts and hooks are told; nothing for tools of our own. */
export function mcpServerOf(tool: Tool | undefined): { name: string; source: string } | undefined {
  const origin = tool?.mcp;
  return origin && { name: origin.server, source: origin.source };
}

/** The same as a field of a hook's input. */
export function mcpFacts(tool: Tool | undefined): { mcp_server?: { name: string; source: string } } {
  const server = mcpServerOf(tool);
  return server ? { mcp_server: server } : {};
}
