import { isThisMachine } from "../http/proxy.ts";
import { ModelError, NOT_LISTENING } from "../model-error.ts";
import type { Provider } from "./provider.ts";

/** The error for a request that did not reach a provider's server. */
export function unreachable({ name, baseUrl }: Provider, error: unknown): ModelError {
  const isRefused = error instanceof Error && "code" in error && error.code === "ECONNREFUSED";
  const isOff = isRefused && isThisMachine(new URL(baseUrl).hostname);
  const said = error instanceof Error ? error.message : String(error);
  const why = isOff ? "nothing is listening there. Start it, or choose another model" : said;
  const type = isOff ? NOT_LISTENING : "connection_error";
  return new ModelError(null, type, `could not reach ${name} at ${baseUrl}: ${why}`, { cause: error });
}
