import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { Tool, ToolOutcome } from "../tools/tool.ts";
import { extensionOf, type KeepFile, keepIn } from "./keep-file.ts";
import { listAll } from "./listing.ts";
import { bounded } from "./outcome.ts";
import type { Server } from "./server.ts";

/** The tools that give the model access to the resources of all servers. `servers` are those with resources. */
export function resourceTools(servers: () => readonly Server[]): readonly Tool[] {
  return [listTool(servers), readTool(servers)];
}

function listTool(servers: () => readonly Server[]): Tool {
  return {
    name: "ListMcpResourcesTool",
    description: "Lists the resources that the connected MCP servers offer: their URIs, names and types.",
    inputSchema: {
      type: "object",
      properties: { server: { type: "string", description: "Only the resources of this server." } },
      additionalProperties: false,
    },
    isReadOnly: () => true,
    run: async (input, { callId, workspace, signal }) => {
      const asked = input.server === undefined ? servers() : [find(servers(), String(input.server))];
      const lists = await Promise.all(asked.map((server) => resourcesOf(server, signal)));
      const data = lists.flat();
      const keep = keepIn(workspace.outputFolder, `mcp-resources-${callId}`);
      return {
        content: data.length === 0 ? "There are no resources." : await bounded(JSON.stringify(data), keep),
        data,
      };
    },
  };
}

function readTool(servers: () => readonly Server[]): Tool {
  return {
    name: "ReadMcpResourceTool",
    description: "Reads one resource of an MCP server by its URI.",
    inputSchema: {
      type: "object",
      properties: {
        server: { type: "string", description: "The name of the server." },
        uri: { type: "string", description: "The URI of the resource, as the server lists it." },
      },
      required: ["server", "uri"],
      additionalProperties: false,
    },
    isReadOnly: () => true,
    run: async (input, { callId, workspace, signal }): Promise<ToolOutcome> => {
      const server = find(servers(), String(input.server));
      const result = await server.request("resources/read", { uri: String(input.uri) }, { signal });
      const keep = keepIn(workspace.outputFolder, `mcp-resource-${callId}`);
      const data = {
        contents: await Promise.all(contentsOf(result).map((content) => readable(content, keep))),
      };
      return { content: await bounded(JSON.stringify(data), keep), data };
    },
  };
}

/** Reads the `contents` of a `resources/read` result. */
export function contentsOf(result: JsonObject): readonly JsonObject[] {
  return Array.isArray(result.contents) ? result.contents.filter(isJsonObject) : [];
}

async function resourcesOf(server: Server, signal: AbortSignal): Promise<readonly JsonObject[]> {
  const link = {
    request: (method: string, params: JsonObject | undefined) =>
      server.request(method, params ?? {}, { signal }),
  };
  const resources = await listAll(link, "resources/list", "resources", signal);
  return resources.map(({ uri, name, mimeType, description }) => ({
    uri,
    name,
    ...(mimeType !== undefined && { mimeType }),
    ...(description !== undefined && { description }),
    server: server.name,
  }));
}

/** Base64 would only waste the model's tokens, so bytes are saved to a file. */
async function readable(content: JsonObject, keep: KeepFile): Promise<JsonObject> {
  const { uri, mimeType, text, blob } = content;
  const head = { uri, ...(mimeType !== undefined && { mimeType }) };
  if (typeof blob !== "string") return { ...head, text: String(text ?? "") };
  const path = await keep(Buffer.from(blob, "base64"), extensionOf(String(mimeType)));
  return { ...head, text: `The content was saved to ${path}`, blobSavedTo: path };
}

function find(servers: readonly Server[], name: string): Server {
  const server = servers.find((candidate) => candidate.name === name);
  if (server) return server;
  const names = servers.map((candidate) => candidate.name).join(", ");
  throw new Error(`No MCP server named ${name} offers resources. These do: ${names || "none"}.`);
}
