import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { Link } from "./link.ts";

/** A server that returns new cursors endlessly must not keep us busy forever. */
const MAX_PAGES = 100;
const MAX_DESCRIPTION_CHARS = 2_048;

/** A tool as its server describes it. */
export interface ListedTool {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations: JsonObject;
  /** Whether it must be in every request to the model; undefined if the server does not say. */
  readonly alwaysLoad: boolean | undefined;
}

/** A prompt as its server describes it. */
export interface ListedPrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly required: boolean }[];
}

/** Requests all pages of a list; entries that are not objects are left out. */
export async function listAll(
  link: Pick<Link, "request">,
  method: string,
  key: string,
  signal: AbortSignal,
): Promise<readonly JsonObject[]> {
  const entries: JsonObject[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const result = await link.request(method, cursor === undefined ? undefined : { cursor }, { signal });
    const items = result[key];
    if (Array.isArray(items)) for (const item of items) if (isJsonObject(item)) entries.push(item);
    if (typeof result.nextCursor !== "string" || result.nextCursor === cursor) break;
    cursor = result.nextCursor;
  }
  return entries;
}

/** Reads an entry of `tools/list`; undefined without a name. */
export function readTool(entry: JsonObject): ListedTool | undefined {
  const { name } = entry;
  if (typeof name !== "string") return undefined;
  const annotations = isJsonObject(entry.annotations) ? entry.annotations : {};
  const title = typeof entry.title === "string" ? entry.title : annotations.title;
  return {
    name,
    title: typeof title === "string" && title !== "" ? title : undefined,
    description: shortText(entry.description),
    inputSchema: objectSchema(entry.inputSchema),
    annotations,
    alwaysLoad: alwaysLoad(entry._meta),
  };
}

function alwaysLoad(meta: unknown): boolean | undefined {
  const value = isJsonObject(meta) ? meta["anthropic/alwaysLoad"] : undefined;
  return typeof value === "boolean" ? value : undefined;
}

/** Reads an entry of `prompts/list`; undefined without a name. */
export function readPrompt(entry: JsonObject): ListedPrompt | undefined {
  const { name } = entry;
  if (typeof name !== "string") return undefined;
  const given: readonly unknown[] = Array.isArray(entry.arguments) ? entry.arguments : [];
  return {
    name,
    description: shortText(entry.description),
    arguments: given.filter(isJsonObject).flatMap((argument) => {
      const argumentName = argument.name;
      return typeof argumentName === "string"
        ? [{ name: argumentName, required: argument.required === true }]
        : [];
    }),
  };
}

// The API accepts only objects as the input of a tool.
function objectSchema(schema: unknown): JsonObject {
  if (!isJsonObject(schema)) return { type: "object", properties: {} };
  return schema.type === "object" ? schema : { ...schema, type: "object" };
}

function shortText(text: unknown): string {
  if (typeof text !== "string") return "";
  return text.length > MAX_DESCRIPTION_CHARS ? `${text.slice(0, MAX_DESCRIPTION_CHARS)}… [cut]` : text;
}

/** What a connected server offers. */
export interface Offer {
  readonly tools: readonly ListedTool[];
  readonly prompts: readonly ListedPrompt[];
}

/** The offer of a server that is not connected. */
export const NO_OFFER: Offer = { tools: [], prompts: [] };

/** Requests everything that a server offers. */
export async function readOffer(link: Link, signal: AbortSignal): Promise<Offer> {
  const { tools, prompts } = link.capabilities;
  const listedTools = tools ? await listAll(link, "tools/list", "tools", signal) : [];
  const listedPrompts = prompts ? await listAll(link, "prompts/list", "prompts", signal) : [];
  return {
    tools: listedTools.flatMap((entry) => readTool(entry) ?? []),
    prompts: listedPrompts.flatMap((entry) => readPrompt(entry) ?? []),
  };
}
