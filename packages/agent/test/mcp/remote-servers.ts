import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { afterwards } from "./session.ts";

/** A real HTTP server on a free port; `restart` drops all its connections and forgets its sessions. */
export interface RemoteServer {
  readonly url: string;
  /** The header `x-team` of every request. */
  readonly teams: (string | undefined)[];
  /** The sessions that it knows. */
  readonly sessions: ReadonlyMap<string, unknown>;
  dropAll(): void;
  stop(): Promise<void>;
}

function timeServer(): McpServer {
  const server = new McpServer({ name: "time", version: "1.0.0" });
  server.registerTool("now", { description: "The time" }, async () => ({
    content: [{ type: "text", text: "noon" }],
  }));
  return server;
}

/** An MCP server over streamable HTTP. */
export async function httpServer(): Promise<RemoteServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? sessions.get(id) : undefined;
    if (id !== undefined && !known) {
      response.writeHead(404).end();
      return;
    }
    const transport =
      known ??
      new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (created) => void sessions.set(created, transport),
      });
    if (!known) await timeServer().connect(transport);
    await transport.handleRequest(request, response);
  };
  return await listen(handle, sessions);
}

/** An MCP server over the older HTTP with server-sent events. */
export async function sseServer(): Promise<RemoteServer> {
  const sessions = new Map<string, SSEServerTransport>();
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === "GET") {
      const transport = new SSEServerTransport("/messages", response);
      sessions.set(transport.sessionId, transport);
      await timeServer().connect(transport);
      return;
    }
    const id = new URL(request.url ?? "", "http://localhost").searchParams.get("sessionId");
    const transport = sessions.get(id ?? "");
    if (transport) await transport.handlePostMessage(request, response);
    else response.writeHead(404).end();
  };
  return await listen(handle, sessions);
}

/** A server that answers everything with one status. */
export async function refusingServer(status: number): Promise<RemoteServer> {
  return await listen(async (_, response) => void response.writeHead(status).end("no"), new Map());
}

async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  sessions: Map<string, unknown>,
): Promise<RemoteServer> {
  const teams: (string | undefined)[] = [];
  const server: Server = createServer((request, response) => {
    teams.push(request.headers["x-team"]?.toString());
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  afterwards(stop);
  const dropAll = (): void => {
    sessions.clear();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}/mcp`, teams, sessions, dropAll, stop };
}
