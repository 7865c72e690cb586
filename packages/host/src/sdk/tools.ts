import type { CallToolResult, ToolAnnotations } from "@modelcontextprotocol/sdk/types.js";
import type { ZodRawShape as ShapeOfZod3 } from "zod/v3";
import type { ZodRawShape as ShapeOfZod4 } from "zod/v4";

/** The fields of a tool's input, in either version of zod. */
export type AnyZodRawShape = ShapeOfZod3 | ShapeOfZod4;

/** The type of the values that a shape describes. */
export type InferShape<T extends AnyZodRawShape> = {
  [Key in keyof T]: T[Key] extends { _output: infer Output } ? Output : never;
} & {};

/** Runs a tool. */
export type ToolHandler<Schema extends AnyZodRawShape> = (
  args: InferShape<Schema>,
  extra: unknown,
) => Promise<CallToolResult>;

/** A tool that runs inside the host. */
export type SdkMcpToolDefinition<Schema extends AnyZodRawShape = AnyZodRawShape> = {
  name: string;
  description: string;
  inputSchema: Schema;
  annotations?: ToolAnnotations;
  _meta?: Record<string, unknown>;
  handler: ToolHandler<Schema>;
};

/** Further facts about a tool besides its name, description, input and handler. */
export type ToolExtras = {
  annotations?: ToolAnnotations;
  /** Keywords by which a search finds the tool. */
  searchHint?: string;
  alwaysLoad?: boolean;
};

/** An MCP server to create from tools that run inside the host. */
export type SdkMcpServerOptions = {
  name: string;
  version?: string;
  instructions?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tools with different inputs share no narrower type, as a handler takes the input
  tools?: SdkMcpToolDefinition<any>[];
  alwaysLoad?: boolean;
  timeout?: number;
};
