import type { JsonObject } from "@agentwire/protocol";
import type { ApiEvent } from "@agentwire/protocol/messages";
import { parseJson } from "@agentwire/protocol/support";
import { ChatReply } from "./chat/reply.ts";
import { toChatRequest } from "./chat/request.ts";
import { createNodeFetch, type FetchResponse, type NodeFetch } from "./http/node-fetch.ts";
import { isDone, readServerEvents } from "./http/sse.ts";
import { textAt } from "./json.ts";
import { MessagesReply } from "./messages/reply.ts";
import { toMessagesRequest } from "./messages/request.ts";
import { ModelError, streamCut } from "./model-error.ts";
import { ProviderKey } from "./providers/key.ts";
import { factsOf, type Provider, type Wire } from "./providers/provider.ts";
import { unreachable } from "./providers/unreachable.ts";
import type { MessagesRequest, ModelClient, ModelReply } from "./request.ts";
import { ResponsesReply } from "./responses/reply.ts";
import { toResponsesRequest } from "./responses/request.ts";
import { type Adaptation, adaptationFor } from "./translate/adaptations.ts";
import { blocksOf } from "./translate/blocks.ts";
import type { CallContext } from "./translate/context.ts";
import { failureOf } from "./translate/failure.ts";
import { promptedCalls } from "./translate/prompted-calls.ts";
import { withPromptedTools } from "./translate/prompted-tools.ts";
import type { ReplyOptions, ReplyReader } from "./translate/reply-reader.ts";
import { ToolNames } from "./translate/tool-names.ts";

/** Implements one wire: where its requests go, what they contain, and how its replies are read. */
interface WireTranslation {
  readonly path: string;
  toRequest(request: MessagesRequest, context: CallContext): JsonObject;
  read(options: ReplyOptions): ReplyReader;
}

const CHAT: WireTranslation = {
  path: "/chat/completions",
  toRequest: toChatRequest,
  read: (options) => new ChatReply(options),
};

const RESPONSES: WireTranslation = {
  path: "/responses",
  toRequest: toResponsesRequest,
  read: (options) => new ResponsesReply(options),
};

const MESSAGES: WireTranslation = {
  path: "/v1/messages",
  toRequest: toMessagesRequest,
  read: () => new MessagesReply(),
};

const WIRES: Readonly<Record<Wire, WireTranslation>> = {
  chat: CHAT,
  responses: RESPONSES,
  messages: MESSAGES,
};

/** How long to wait for a reply to start, and then for each piece of it. */
const DEFAULT_TIMEOUT_MS = 600_000;

/** Connects to a provider. */
export function connectProvider(provider: Provider, timeoutMs = DEFAULT_TIMEOUT_MS): ModelClient {
  return new TranslatingClient(provider, createNodeFetch(timeoutMs, provider.proxy));
}

class TranslatingClient implements ModelClient {
  readonly #provider: Provider;
  readonly #wire: WireTranslation;
  readonly #fetch: NodeFetch;
  readonly #key: ProviderKey;
  /** The adaptations that each model needs. */
  readonly #adaptations = new Map<string, Set<Adaptation>>();

  constructor(provider: Provider, fetch: NodeFetch) {
    this.#provider = provider;
    this.#wire = WIRES[provider.wire];
    this.#fetch = fetch;
    this.#key = new ProviderKey(provider);
  }

  async send(request: MessagesRequest, signal: AbortSignal): Promise<ModelReply> {
    const model = ownName(request.model, this.#provider.name);
    const adaptations = this.#adaptationsOf(model);
    let hasRenewed = false;
    for (;;) {
      try {
        return await this.#attempt(request, model, new Set(adaptations), signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ModelError)) throw error;
        const adaptation = adaptationFor(error, adaptations);
        if (adaptation !== undefined) adaptations.add(adaptation);
        else if (error.status === 401 && this.#key.isRenewable && !hasRenewed) {
          hasRenewed = true;
          this.#key.renew();
        } else throw error;
      }
    }
  }

  #adaptationsOf(model: string): Set<Adaptation> {
    const made = this.#adaptations.get(model) ?? new Set();
    this.#adaptations.set(model, made);
    return made;
  }

  async #attempt(
    request: MessagesRequest,
    model: string,
    adaptations: ReadonlySet<Adaptation>,
    signal: AbortSignal,
  ): Promise<ModelReply> {
    const provider = this.#provider;
    const names = new ToolNames();
    const facts = factsOf(provider, model);
    const isPrompted = facts.tools === "prompted";
    const context = { provider, model, facts, names, adaptations };
    const asked = isPrompted ? withPromptedTools(request) : request;
    const body = JSON.stringify(this.#wire.toRequest(asked, context));
    const response = await this.#post(body, signal);
    const requestId = response.headers.get("x-request-id") ?? undefined;
    if (!response.ok) throw await refusal(response, requestId);
    const ids = usedIds(request);
    const reader = this.#wire.read({
      model: request.model,
      from: provider.name,
      names,
      usedIds: ids,
      requestCharacters: body.length,
    });
    const events = readReply(response, reader, signal);
    return {
      ...(requestId !== undefined && { requestId }),
      events: isPrompted ? promptedCalls(events, ids) : events,
    };
  }

  async #post(body: string, signal: AbortSignal): Promise<FetchResponse> {
    const { baseUrl, headers } = this.#provider;
    const auth = await this.#key.headers();
    signal.throwIfAborted();
    try {
      return await this.#fetch(baseUrl + this.#wire.path, {
        method: "POST",
        headers: [
          ["content-type", "application/json"],
          ["accept", "text/event-stream, application/json"],
          ...auth,
          ...Object.entries(headers),
        ],
        body,
        signal,
      });
    } catch (error) {
      signal.throwIfAborted();
      throw unreachable(this.#provider, error);
    }
  }
}

/** The provider's name for a model: without the provider prefix and without suffixes meant only for the agent. */
export const ownName = (name: string, provider: string): string =>
  (name.startsWith(`${provider}/`) ? name.slice(provider.length + 1) : name).replace(/\[\w+\]$/, "");

function usedIds({ messages }: MessagesRequest): ReadonlySet<string> {
  const ids = messages.flatMap(({ role, content }) =>
    role === "assistant" ? blocksOf(content).flatMap((block) => textAt(block, "id") ?? []) : [],
  );
  return new Set(ids);
}

async function refusal(response: FetchResponse, requestId: string | undefined): Promise<ModelError> {
  const text = await response.text().catch(() => "");
  const isFinal = response.headers.get("x-should-retry") === "false";
  const body = parseJson(text) ?? text.slice(0, 500);
  return failureOf({ status: response.status, body, headers: response.headers, requestId, isFinal });
}

async function* readReply(
  response: FetchResponse,
  reader: ReplyReader,
  signal: AbortSignal,
): AsyncGenerator<ApiEvent> {
  let done = false;
  try {
    if (/^application\/json\b/.test(response.headers.get("content-type") ?? "")) {
      // The server does not stream.
      yield* reader.push(parseJson(await wholeText(response)));
      done = true;
    } else {
      const events = readServerEvents(response.body);
      let isRead = false;
      try {
        reading: for (let next = await events.next(); !next.done; next = await events.next()) {
          for (const event of next.value) {
            done = isDone(event);
            if (done) break reading;
            yield* reader.push(parseJson(event.data));
          }
        }
        isRead = true;
      } finally {
        if (!isRead) response.destroy();
      }
      if (done) readRest(response, events);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ModelError ? error : streamCut(error);
  }
  signal.throwIfAborted();
  yield* reader.end(done);
}

/** How long a server may take to end a response after the final event. */
const REST_MS = 1000;

/** Drains a response in the background, so that its connection can be reused. */
function readRest(response: FetchResponse, events: AsyncIterator<unknown>): void {
  const timer = setTimeout(() => response.destroy(), REST_MS).unref();
  const end = () => clearTimeout(timer);
  events.next().then(({ done }) => (done ? end() : response.destroy()), end);
}

async function wholeText({ body }: FetchResponse): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}
