import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";

interface Waiting {
  answer(message: JsonObject): void;
  fail(reason: Error): void;
}

/** The connection between an MCP server in this process and the agent, which reaches it through `mcp_message`. */
export class HostedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #waiting = new Map<RequestId, Waiting>();
  readonly #toAgent: (message: JsonObject) => void;
  #closed = false;

  /** `toAgent` receives the messages that the server sends on its own initiative. */
  constructor(toAgent: (message: JsonObject) => void) {
    this.#toAgent = toAgent;
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) throw new Error("the session of this MCP server has ended");
    const waiting = isAnswer(message) ? this.#waiting.get(message.id) : undefined;
    if (waiting) waiting.answer(message);
    else this.#toAgent(message);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const { fail } of [...this.#waiting.values()]) fail(new Error("the MCP server was closed"));
    this.onclose?.();
  }

  /** Delivers a message to the server; resolves with the answer, or at once if the message needs none. */
  async deliver(message: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    if (this.#closed || !this.onmessage) throw new Error("the MCP server is not connected");
    if (!isRequest(message)) {
      this.onmessage(message as JSONRPCMessage);
      this.#giveUp(message);
      // Nobody reads it, but the agent waits for an answer.
      return { jsonrpc: "2.0", result: {}, id: 0 };
    }
    return await this.#ask(message, signal);
  }

  /** A server does not answer a cancelled request, so waiting for the answer would never end. */
  #giveUp({ method, params }: JsonObject): void {
    if (method !== "notifications/cancelled" || !isJsonObject(params)) return;
    this.#waiting.get(params.requestId as RequestId)?.fail(new Error("the agent cancelled the call"));
  }

  #ask(message: JsonObject & { readonly id: RequestId }, signal: AbortSignal): Promise<JsonObject> {
    const { id } = message;
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.#waiting.delete(id);
        signal.removeEventListener("abort", withdraw);
      };
      const withdraw = () => {
        settle();
        this.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
        reject(signal.reason);
      };
      this.#waiting.set(id, {
        answer: (answer) => {
          settle();
          resolve(answer);
        },
        fail: (reason) => {
          settle();
          reject(reason);
        },
      });
      signal.addEventListener("abort", withdraw);
      this.onmessage?.(message as JSONRPCMessage);
    });
  }
}

function isRequest(message: JsonObject): message is JsonObject & { readonly id: RequestId } {
  return "method" in message && (typeof message.id === "string" || typeof message.id === "number");
}

function isAnswer(message: JSONRPCMessage): message is JSONRPCMessage & { readonly id: RequestId } {
  return !("method" in message) && "id" in message && message.id !== undefined;
}
