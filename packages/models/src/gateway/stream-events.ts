import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type ApiEvent, NO_USAGE, type Usage } from "@agentwire/protocol/messages";
import type { ModelReply } from "../request.ts";

/** How often a stream sends a ping. */
const PING_MS = 15_000;
const PING = 'event: ping\ndata: {"type": "ping"}\n\n';

/** Sends a reply as server-sent events, no faster than the client reads; resolves to its usage. */
export async function streamEvents(
  { events }: ModelReply,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<Usage> {
  let usage: Usage = NO_USAGE;
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
  });
  response.flushHeaders();
  const ping = setInterval(() => response.writableNeedDrain || response.write(PING), PING_MS);
  try {
    for await (const event of events) {
      if (event.type === "message_delta") usage = { ...usage, ...counted(event.usage) };
      ping.refresh();
      if (!response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`))
        await once(response, "drain", { signal });
    }
  } finally {
    clearInterval(ping);
  }
  response.end();
  return usage;
}

/** A missing or null count has not changed. */
function counted(change: Extract<ApiEvent, { type: "message_delta" }>["usage"]): Partial<Usage> {
  return Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== null && value !== undefined),
  );
}
