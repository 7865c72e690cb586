import { pathToFileURL } from "node:url";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { type Log, MAX_TIMER_MS } from "@agentwire/protocol/support";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { ServerCapabilities } from "@modelcontextprotocol/sdk/types.js";
import { withGrace } from "../abort.ts";
import { OutOfTime, withTimeout } from "./deadline.ts";
import { type AskElicitation, readElicitation } from "./elicitation.ts";
import { BrokenLink, errorText } from "./failure.ts";
import { endReason } from "./transport/open-transport.ts";

/** A live connection to one server, after the handshake. */
export interface Link {
  readonly info: { readonly name: string; readonly version: string };
  readonly capabilities: ServerCapabilities;
  /** The server's usage instructions; empty if it has none. */
  readonly instructions: string;
  /** Sends a request to the server; rejects with its error, on abort, at the deadline, or when the connection is lost. */
  request(method: string, params: JsonObject | undefined, options: RequestOptions): Promise<JsonObject>;
  close(): Promise<void>;
}

/** How long a request may take, and how to cancel it. */
export interface RequestOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  /** Whether the server may report progress, which some need to keep long calls alive. */
  readonly progress?: boolean;
}

/** What a link needs for the handshake and for serving its server. */
export interface LinkOptions {
  readonly server: string;
  /** A server in the host is sent no capabilities: it can use the host's directly. */
  readonly inHost: boolean;
  readonly version: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly log: Log;
  readonly onElicitation: AskElicitation;
  /** Called when a server reports that the user has completed a page it sent them to. */
  readonly onElicitationComplete: ((server: string, elicitationId: string) => void) | undefined;
  /** Called when the server reports that its tools or prompts have changed. */
  readonly onListChanged: () => void;
  /** Called when either side has closed the connection. */
  readonly onClose: () => void;
}

const LIST_CHANGES = ["notifications/tools/list_changed", "notifications/prompts/list_changed"];

/** Performs the handshake over a transport. If it fails, or `signal` fires, the transport is closed. */
export async function openLink(
  transport: Transport,
  options: LinkOptions,
  signal: AbortSignal,
): Promise<Link> {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { ErrorCode, McpError, ResultSchema } = await import("@modelcontextprotocol/sdk/types.js");
  signal.throwIfAborted();
  const client = new Client(
    { name: "agentwire-agent", title: "agentwire agent", version: options.version },
    { capabilities: options.inHost ? {} : { roots: {}, elicitation: { form: {}, url: {} } } },
  );
  client.fallbackRequestHandler = async ({ method, params }, { signal: cancelled }) => {
    if (method === "roots/list") return { roots: [{ uri: pathToFileURL(options.cwd).href }] };
    if (method !== "elicitation/create") throw new McpError(ErrorCode.MethodNotFound, `no method ${method}`);
    const question = readElicitation(options.server, isJsonObject(params) ? params : {});
    const answer = options.onElicitation(question, cancelled).catch(() => ({ action: "cancel" }) as const);
    return { ...(await answer) };
  };
  client.fallbackNotificationHandler = async ({ method, params }) => {
    if (LIST_CHANGES.includes(method)) options.onListChanged();
    if (method === "notifications/elicitation/complete" && typeof params?.elicitationId === "string")
      options.onElicitationComplete?.(options.server, params.elicitationId);
  };
  client.onerror = (error) => {
    options.log.debug("an MCP connection reported an error", { server: options.server, error });
    // A broken event stream reconnects without its session, so its open requests would never be answered.
    if (isBrokenStream(error)) void client.close();
  };
  client.onclose = options.onClose;

  const close = () => closeQuietly(client, transport);
  try {
    await withGrace(client.connect(transport, { timeout: MAX_TIMER_MS }), signal);
  } catch (error) {
    await close();
    throw explained(transport, error);
  }

  return {
    info: { name: client.getServerVersion()?.name ?? "", version: client.getServerVersion()?.version ?? "" },
    capabilities: client.getServerCapabilities() ?? {},
    instructions: client.getInstructions() ?? "",
    request: async (method, params, { signal: outer, timeoutMs = options.timeoutMs, progress = false }) => {
      const ask = (own: AbortSignal) =>
        client.request({ method, ...(params && { params }) }, ResultSchema, {
          signal: own,
          timeout: MAX_TIMER_MS,
          ...(progress && { onprogress: () => {} }),
        });
      try {
        return await withTimeout(timeoutMs, ask, outer);
      } catch (error) {
        if (error instanceof OutOfTime || outer.aborted) throw error;
        const reason = explained(transport, error);
        if (error instanceof McpError && reason === error) throw error;
        throw new BrokenLink(errorText(reason), { cause: error });
      }
    },
    close,
  };
}

// The client forgets its transport when a handshake fails, and would no longer close it.
async function closeQuietly(client: { close(): Promise<void> }, transport: Transport): Promise<void> {
  await Promise.allSettled([client.close(), transport.close()]);
}

/** If the process has ended, its end explains more than "connection closed". */
function explained(transport: Transport, error: unknown): unknown {
  const reason = endReason(transport);
  return reason === undefined ? error : new Error(reason, { cause: error });
}

function isBrokenStream(error: Error): boolean {
  return "event" in error;
}
