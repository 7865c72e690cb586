import type { JsonObject } from "@agentwire/protocol";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  type JSONRPCMessage,
  ListToolsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";

/** A host with one MCP server in its process, bridged to `send` the way the official TypeScript SDK does it. */
export async function calculatorHost(options: { readonly fromHost?: (message: JsonObject) => void } = {}) {
  const server = new Server(
    { name: "calc", version: "1.0.0" },
    { capabilities: { tools: { listChanged: true } } },
  );
  const tools = [{ name: "add", description: "Add two numbers", inputSchema: { type: "object" as const } }];
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const sum = Number(params.arguments?.a) + Number(params.arguments?.b);
    return { content: [{ type: "text", text: String(sum) }] };
  });
  const addTool = async (name: string): Promise<void> => {
    tools.push({ name, description: "", inputSchema: { type: "object" } });
    await server.sendToolListChanged();
  };
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  const waiting = new Map<string | number, (message: JSONRPCMessage) => void>();
  ours.onmessage = (message) => {
    const answer =
      "id" in message && !("method" in message) && message.id !== undefined && waiting.get(message.id);
    if (answer) answer(message);
    else options.fromHost?.(message);
  };
  await ours.start();

  /** Every message that the agent sent, by method; the server's own requests are answered by `answer`. */
  const sent: { method: string; message: JsonObject }[] = [];
  const send = async (name: string, message: JsonObject): Promise<JsonObject> => {
    sent.push({ method: String(message.method ?? "answer"), message });
    if (name !== "calc") throw new Error(`SDK MCP server not found: ${name}`);
    const { id, method } = message;
    if (method === undefined || (typeof id !== "number" && typeof id !== "string")) {
      await ours.send(message as JSONRPCMessage);
      return { jsonrpc: "2.0", result: {}, id: 0 };
    }
    const response = new Promise<JSONRPCMessage>((resolve) => waiting.set(id, resolve));
    await ours.send(message as JSONRPCMessage);
    return await response;
  };
  return { send, sent, addTool, methods: () => sent.map(({ method }) => method) };
}
