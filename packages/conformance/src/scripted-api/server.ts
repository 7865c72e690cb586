import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { startFold } from "@agentwire/models";
import {
  type CallKind,
  type Frame,
  fits,
  playScript,
  type Script,
  type ScriptError,
} from "@agentwire/models/script";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { at, listAt } from "../json-path.ts";
import { RequestLog } from "./requests.ts";
import { chat } from "./wires/chat.ts";
import { gemini, isGemini } from "./wires/gemini.ts";
import { messages } from "./wires/messages.ts";
import { responses } from "./wires/responses.ts";
import type { Quirks, Wire } from "./wires/wire.ts";

/** The longest delay of a timer. */
export const FOREVER_MS = 2 ** 31 - 1;

/** Waits, but ends if the client has disconnected: nothing may outlive a scenario. */
export async function pause(response: ServerResponse, ms: number): Promise<void> {
  if (ms === 0 || response.destroyed) return;
  const gone = new AbortController();
  const onClose = () => gone.abort();
  response.once("close", onClose);
  await setTimeout(ms, undefined, { signal: gone.signal }).catch(() => {});
  response.off("close", onClose);
}

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
}

/** The wires by path. */
const WIRES: ReadonlyMap<string, Wire> = new Map([
  ["/v1/messages", messages],
  ["/v1/chat/completions", chat],
  ["/v1/responses", responses],
]);

/** The wire at a path, if there is one. */
export const wireAt = (path: string): Wire | undefined => (isGemini(path) ? gemini : WIRES.get(path));

/** Ids look made up, as in the recordings, so that the comparison can tell them from ids chosen by a script. */
const ANSWERS = { idMark: "_fake", sideText: '{"title":"A scripted title"}' };

/** A running API that answers from a script, in the wires of the Messages API, Chat Completions, Responses and Gemini. */
export interface ScriptedApi {
  readonly url: string;
  readonly requests: RequestLog;
  /** The deviations from the script: requests that lack what a step expects, and steps that were not requested. */
  problems(): readonly string[];
  close(): Promise<void>;
}

/** Starts an API on the loopback interface; `variables` replace the `{{name}}` of the script. Port 0 selects any free port. */
export async function startScriptedApi(
  script: Script,
  variables: Readonly<Record<string, string>> = {},
  port = 0,
  quirks: Quirks = {},
): Promise<ScriptedApi> {
  const player = playScript(script, new Map(Object.entries(variables)), ANSWERS);
  const requests = new RequestLog();
  const unmet: string[] = [];

  const answer = async (wire: Wire, request: IncomingMessage, response: ServerResponse) => {
    const sent = await readBody(request);
    const refuse = (message: string) =>
      sendJson(response, 400, wire.failure(400, { type: "invalid_request_error", message }));
    if (sent === undefined) return refuse("the body is not JSON");
    const body = wire.toMessages(sent, pathOf(request));
    const kind = kindOf(body);
    requests.all.push({ kind, path: request.url ?? "", headers: request.headers, body, sent });
    const step = player.take(kind);
    if (kind === "turn" && step.expect !== undefined && !fits(step.expect, body))
      unmet.push(`request ${requests.turns.length} lacks ${JSON.stringify(step.expect)}`);
    if (unmet.length > 0) return refuse(unmet.join("; "));
    await pause(response, step.delayBefore ?? 0);
    const requestId = player.newId("req");
    response.setHeader("request-id", requestId);
    response.setHeader("x-request-id", requestId);
    if (step.type === "reset") return request.socket.destroy();
    if (step.type === "error") return sendFailure(response, step, wire);
    const frames = player.frames(step, String(body.model));
    return sendReply(response, frames, wire, body.stream === true, { headers: step.headers, quirks });
  };

  // Keep idle connections open: closing one just as the agent sends a request on it would make the agent retry.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const path = pathOf(request);
    const wire = wireAt(path);
    if (request.method === "POST" && wire) {
      // An agent that disconnects in the middle of its request is not an error of the server.
      answer(wire, request, response).catch(() => response.destroy());
    } else answerOther(request, response, path);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    problems() {
      const left = player.left();
      return [...unmet, ...(left > 0 ? [`${left} of the steps were never asked for`] : [])];
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A request without tools is for a title or a summary; one with very few tokens is a probe. */
function kindOf(body: JsonObject): CallKind {
  if (typeof body.max_tokens !== "number" || body.max_tokens <= 1) return "probe";
  return listAt(body, "tools").length > 0 && !isWarmup(body) ? "turn" : "side";
}

/** Official agents of version 2.0 send a request with only this text to cache the prompts of their subagents. */
function isWarmup(body: JsonObject): boolean {
  const [first, ...more] = listAt(body, "messages");
  return more.length === 0 && JSON.stringify(at(first, "content") ?? "").includes('"Warmup"');
}

const pathOf = ({ url = "" }: IncomingMessage) => url.split("?")[0] ?? "";

/** Answers with a reply, streamed or whole. */
export async function sendReply(
  response: ServerResponse,
  frames: Iterable<Frame>,
  wire: Wire,
  isStream: boolean,
  {
    headers = {},
    quirks = {},
  }: { readonly headers?: Readonly<Record<string, string>> | undefined; readonly quirks?: Quirks } = {},
): Promise<void> {
  if (!isStream || quirks.neverStreams)
    return sendJson(response, 200, wire.whole(wholeMessage(frames)), headers);
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", ...headers });
  return sendStream(response, frames, wire, quirks);
}

/** The reply to a request without streaming, as one message. */
function wholeMessage(frames: Iterable<Frame>): JsonObject {
  const fold = startFold();
  for (const frame of frames) if (frame.type === "event") fold.push(frame.event);
  return { ...fold.message };
}

async function sendStream(
  response: ServerResponse,
  frames: Iterable<Frame>,
  wire: Wire,
  quirks: Quirks,
): Promise<void> {
  const writer = wire.write(quirks);
  const write = (text: string) => {
    if (text === "") return;
    for (const piece of quirks.byteByByte ? Buffer.from(text) : [text])
      response.write(typeof piece === "number" ? Uint8Array.of(piece) : piece);
  };
  for (const frame of frames) {
    if (response.destroyed) return;
    if (frame.type === "cut") return cut(response);
    if (frame.type === "stall") return pause(response, FOREVER_MS);
    if (frame.type === "wait") await pause(response, frame.ms);
    else
      write(writer.event(frame.type === "fail" ? { type: "error", error: frame.error } : { ...frame.event }));
  }
  write(writer.end());
  response.end();
}

/** Lets everything written so far reach the client before the connection breaks. */
async function cut(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => response.write("", () => resolve()));
  response.socket?.destroy();
}

/** Answers the other requests of clients: whether the server is up, the length of a prompt, the list of models. */
export function answerOther(request: IncomingMessage, response: ServerResponse, path: string): void {
  request.resume();
  if (request.method === "HEAD") response.writeHead(200).end();
  else if (path === "/v1/models") sendJson(response, 200, { data: [], has_more: false });
  else if (path === "/v1/messages/count_tokens") sendJson(response, 200, { input_tokens: 100 });
  else if (path.endsWith(":countTokens")) sendJson(response, 200, { totalTokens: 100 });
  else sendError(response, 404, "not_found_error", "there is nothing here");
}

function sendFailure(response: ServerResponse, step: ScriptError, wire: Wire): void {
  const { status = 500, error = { type: "api_error", message: "Internal server error" }, headers } = step;
  sendJson(response, status, wire.failure(status, error), headers);
}

function sendError(response: ServerResponse, status: number, type: string, message: string): void {
  sendJson(response, status, { type: "error", error: { type, message } });
}

/** The JSON of a request; undefined if it is invalid. */
export async function readBody(request: IncomingMessage): Promise<JsonObject | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
