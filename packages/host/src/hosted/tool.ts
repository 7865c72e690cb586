import type { AnyZodRawShape, SdkMcpToolDefinition, ToolExtras, ToolHandler } from "../sdk/tools.ts";

/** Defines a tool that runs in this process; `createSdkMcpServer` puts it before the agent. */
export function tool<Schema extends AnyZodRawShape>(
  name: string,
  description: string,
  inputSchema: Schema,
  handler: ToolHandler<Schema>,
  extras: ToolExtras = {},
): SdkMcpToolDefinition<Schema> {
  const { annotations, searchHint, alwaysLoad } = extras;
  const meta = {
    ...(searchHint && { "anthropic/searchHint": searchHint }),
    ...(alwaysLoad && { "anthropic/alwaysLoad": true }),
  };
  return {
    name,
    description,
    inputSchema,
    handler,
    ...(annotations && { annotations }),
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
}
