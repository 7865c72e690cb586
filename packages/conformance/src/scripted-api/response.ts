import type { ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";

/** As long as a timer can wait. */
export const FOREVER_MS = 2 ** 31 - 1;

/** Waits, but not for a client that has gone: nothing may outlive a scenario. */
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
