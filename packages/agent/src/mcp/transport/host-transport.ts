import type { JsonObject } from "@agentwire/protocol";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { Manifest } from "../manifest.ts";
import { validMessage } from "./valid-message.ts";

/** Sends one message to a server in the host; resolves with the `mcp_response` of the host's answer. */
export type SendToHost = (server: string, message: JsonObject) => Promise<JsonObject>;

/** The transport to a server in the host's process: every message, even a notification, is sent as a control request. */
export class HostTransport implements Transport {
  onmessage?: Transport["onmessage"];
  onclose?: Transport["onclose"];
  onerror?: Transport["onerror"];
  readonly #server: string;
  readonly #send: SendToHost;
  readonly #manifest: Manifest | undefined;
  #knowsTools = true;
  #closed = false;

  constructor(server: string, send: SendToHost, manifest?: Manifest) {
    this.#server = server;
    this.#send = send;
    this.#manifest = manifest;
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    const request = "method" in message && "id" in message ? message : undefined;
    const known = "method" in message ? this.#knownAnswer(message.method) : undefined;
    const answer = known ?? (await this.#send(this.#server, message));
    // Hosts answer notifications with a dummy, which only confirms receipt.
    if (!request || this.#closed) return;
    // This can only be the answer to this request, whatever its id.
    this.onmessage?.(validMessage({ ...answer, id: request.id }));
  }

  /** Receives a message that the server sent unprompted. */
  receive(message: JsonObject): void {
    if (!this.#closed) this.onmessage?.(validMessage(message));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }

  /** The contents of the manifest, in the form of an answer. */
  #knownAnswer(method: string): JsonObject | undefined {
    if (!this.#manifest) return undefined;
    const { initializeResult, toolsListResult } = this.#manifest;
    if (method === "initialize") return { result: initializeResult };
    if (method === "notifications/initialized") return {};
    if (method !== "tools/list" || !this.#knowsTools || !toolsListResult) return undefined;
    // Only once: after the handshake, the list is requested because it has changed.
    this.#knowsTools = false;
    return { result: toolsListResult };
  }
}
