import { isJsonObject, type JsonObject } from "../json.ts";
import { array, record } from "../schema/collection.ts";
import { defaulted, object, optional } from "../schema/object.ts";
import { boolean, jsonObject, literal, number, oneOf, string } from "../schema/scalar.ts";
import type { Infer, Schema } from "../schema/schema.ts";
import { variants } from "../schema/union.ts";

/** The MCP server that a tool comes from, and who configured it. */
export const mcpServerProvenance = object({ name: string, source: defaulted(string, "") });

/** What a host or an organization decides about one tool of a server, regardless of the rules. */
const mcpToolPolicy = object({
  name: string,
  permission_policy: optional(oneOf("always_allow", "always_ask", "always_deny")),
  org_max_permission: optional(oneOf("allow", "ask", "blocked")),
});

/** Settings for calls of a server's tools. */
export const toolCallSettings = {
  timeout: optional(number, "milliseconds per tool call"),
  tools: optional(array(mcpToolPolicy)),
};

const shared = optional(boolean, "our addition: sessions of one process may share the server");

const remote = {
  url: string,
  headers: optional(record(string)),
  alwaysLoad: optional(boolean),
  shared,
  ...toolCallSettings,
};

const stdio = object({
  type: optional(literal("stdio")),
  command: string,
  args: optional(array(string)),
  env: optional(record(string)),
  timeout: toolCallSettings.timeout,
  alwaysLoad: optional(boolean),
  shared,
});

const byType = variants("McpServerConfig", "type", {
  stdio,
  sse: object({ type: literal("sse"), ...remote }),
  http: object({ type: literal("http"), ...remote }),
  sdk: object({ type: literal("sdk"), name: string, ...toolCallSettings }),
});

/** How to reach an MCP server. Without a `type` it is a command; a type newer than this reader stays an `Unknown`. */
export const mcpServerConfig: Schema<Infer<typeof byType>> = {
  ...byType,
  accepts: (value): value is Infer<typeof byType> =>
    isUntyped(value) ? stdio.accepts(value) : byType.accepts(value),
  read: (value, reading) => byType.read(isUntyped(value) ? { ...value, type: "stdio" } : value, reading),
};

/** How to reach an MCP server. */
export type McpServerConfig = Infer<typeof mcpServerConfig>;

/** One row of the answer to `mcp_status`. */
export const mcpServerStatus = object({
  name: string,
  status: oneOf("connected", "failed", "needs-auth", "pending", "disabled"),
  serverInfo: optional(object({ name: string, version: defaulted(string, "") })),
  error: optional(string),
  config: optional(jsonObject),
  scope: optional(string),
  source: optional(string),
  tools: optional(
    array(
      object({
        name: string,
        description: optional(string),
        annotations: optional(
          object({
            readOnly: optional(boolean),
            destructive: optional(boolean),
            openWorld: optional(boolean),
          }),
        ),
        _meta: optional(jsonObject),
      }),
    ),
  ),
});

/** One row of the answer to `mcp_status`. */
export type McpServerStatus = Infer<typeof mcpServerStatus>;

const isUntyped = (value: unknown): value is JsonObject =>
  isJsonObject(value) && (value.type === undefined || value.type === null);
