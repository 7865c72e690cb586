import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { startFold } from "@agentwire/models";
import type { Script, ScriptError, ScriptReply } from "@agentwire/models/script";
import { playScript, type ScriptPlayer } from "@agentwire/models/script";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { FOREVER_MS, pause, sendJson } from "../../conformance/src/scripted-api/server.ts";

/** A script and how the server plays it. */
export interface ApiOptions extends Script {
  /** The values for `{{name}}` in the script. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Sends the stream in chunks of this many bytes. */
  readonly splitBytes?: number;
}

/** A request as it arrived. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
  /** Resolves when the answer has ended: complete, or cut short by the client or the script. */
  readonly end: Promise<"complete" | "broken">;
}

/** A running Messages API. */
export interface ScriptedApi {
  readonly url: string;
  /** Every call of the Messages API, in order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** The total number of connections so far. */
  readonly connections: () => number;
  /** Resolves with the request of this index once it has arrived. */
  request(index: number): Promise<RecordedRequest>;
  close(): Promise<void>;
}

/** Starts a Messages API on the loopback interface that answers from a script. */
export async function startScriptedApi(options: ApiOptions): Promise<ScriptedApi> {
  const player = playScript(options, new Map(Object.entries(options.variables ?? {})));
  const requests: RecordedRequest[] = [];
  const waiting: (() => void)[] = [];
  let connections = 0;

  // If an idle connection is closed just as the agent sends on it, the agent retries.
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const end = new Promise<"complete" | "broken">((resolve) => {
      response.once("close", () => resolve(response.writableFinished ? "complete" : "broken"));
    });
    const body = await readBody(request);
    if (request.method !== "POST" || !request.url?.startsWith("/v1/messages"))
      return answerOther(request, response);
    if (request.url.startsWith("/v1/messages/count_tokens")) {
      return sendJson(response, 200, { input_tokens: JSON.stringify(body).length / 4 });
    }
    requests.push({ method: request.method, path: request.url, headers: request.headers, body, end });
    for (const wake of waiting.splice(0)) wake();
    await answer(response, body, player, options.splitBytes);
  });
  server.on("connection", () => connections++);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () => connections,
    async request(index) {
      for (;;) {
        const found = requests[index];
        if (found) return found;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  response: ServerResponse,
  body: JsonObject,
  player: ScriptPlayer,
  splitBytes = 0,
): Promise<void> {
  const isTurn = Array.isArray(body.tools) && body.tools.length > 0;
  const step = player.take(Number(body.max_tokens ?? 0) <= 1 ? "probe" : isTurn ? "turn" : "side");
  response.setHeader("request-id", player.newId("req"));
  await pause(response, step.delayBefore ?? 0);
  if (step.type === "reset") response.socket?.destroy();
  else if (step.type === "error") sendError(response, step);
  else if (body.stream === true) await sendStream(response, step, String(body.model), player, splitBytes);
  else sendWhole(response, step, String(body.model), player);
}

async function sendStream(
  response: ServerResponse,
  step: ScriptReply,
  model: string,
  player: ScriptPlayer,
  splitBytes: number,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", ...step.headers });
  const send = async (event: { readonly type: string }) => {
    const bytes = Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    if (splitBytes === 0) response.write(bytes);
    for (let i = 0; splitBytes > 0 && i < bytes.length; i += splitBytes) {
      response.write(bytes.subarray(i, i + splitBytes));
      await setImmediate();
    }
  };
  for (const frame of player.frames(step, model)) {
    if (response.destroyed) return;
    if (frame.type === "event") await send(frame.event);
    else if (frame.type === "wait") await pause(response, frame.ms);
    else if (frame.type === "stall") await pause(response, FOREVER_MS);
    else if (frame.type === "fail") await send({ type: "error", error: frame.error } as { type: string });
    else if (frame.type === "cut") return cut(response);
  }
  response.end();
}

/** Lets everything written so far reach the client before breaking the connection. */
async function cut(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => response.write("", () => resolve()));
  response.socket?.resetAndDestroy();
}

function sendWhole(response: ServerResponse, step: ScriptReply, model: string, player: ScriptPlayer): void {
  const fold = startFold();
  for (const frame of player.frames(step, model)) if (frame.type === "event") fold.push(frame.event);
  sendJson(response, 200, fold.message);
}

function sendError(response: ServerResponse, { status = 500, error, headers }: ScriptError): void {
  const told = error ?? { type: "api_error", message: "Internal server error" };
  sendJson(response, status, { type: "error", error: told }, headers);
}

/** Answers requests in which clients check the server and list its models. */
function answerOther(request: IncomingMessage, response: ServerResponse): void {
  if (request.method === "HEAD") response.writeHead(200).end();
  else if (request.url?.startsWith("/v1/models")) sendJson(response, 200, { data: [], has_more: false });
  else sendJson(response, 404, { type: "error", error: { type: "not_found_error", message: "not found" } });
}

async function readBody(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  const value: unknown = text === "" ? {} : JSON.parse(text);
  return isJsonObject(value) ? value : {};
}
