import { createNodeFetch } from "../http/node-fetch.ts";
import { countAt, listAt, objectAt, parseJson, textAt } from "../json.ts";
import { ModelError } from "../model-error.ts";
import { ProviderKey } from "./key.ts";
import type { Provider } from "./provider.ts";
import type { Providers } from "./providers.ts";
import { WELL_KNOWN } from "./well-known.ts";

/** A model that a provider says it has. */
export interface ListedModel {
  /** The provider's name for it. */
  readonly id: string;
  /** When it was made, in seconds. */
  readonly created: number | undefined;
  readonly contextWindow: number | undefined;
}

/** The models of one provider, or why they can't be had. */
export interface ModelList {
  readonly provider: Provider;
  readonly models: readonly ListedModel[];
  readonly problem?: string;
}

/** The models of providers that can be asked, of these others, and of servers on this machine that settings do not name. */
export async function foundModels(
  providers: Providers,
  others: readonly Provider[],
  signal: AbortSignal,
): Promise<ModelList[]> {
  const named = [...others, ...providers.available];
  const local = [...WELL_KNOWN].flatMap(([name, { isLocal }]) =>
    isLocal && !named.some((provider) => provider.name === name) ? (providers.get(name) ?? []) : [],
  );
  const lists = await reachableModels([...named, ...local], signal);
  return lists.filter(({ provider, models }) => named.includes(provider) || models.length > 0);
}

/** Asks all providers at once; one that can't be asked has a problem and no models beside those that are described. */
function reachableModels(providers: readonly Provider[], signal: AbortSignal): Promise<ModelList[]> {
  return Promise.all(
    providers.map(async (provider) => {
      try {
        return { provider, models: await listModels(provider, signal) };
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        return { provider, models: [], problem };
      }
    }),
  );
}

/** More models than any provider has. */
const MAX_MODELS = 5000;

async function listModels(provider: Provider, signal: AbortSignal): Promise<readonly ListedModel[]> {
  const { name, baseUrl, headers, wire } = provider;
  const path = wire === "messages" ? "/v1/models?limit=1000" : "/models";
  const auth = await new ProviderKey(provider).headers();
  const response = await createNodeFetch(10_000, provider.proxy)(baseUrl + path, {
    headers: [["accept", "application/json"], ...auth, ...Object.entries(headers)],
    signal,
  }).catch((error: unknown) => {
    const why = signal.aborted ? "no answer in time" : error instanceof Error ? error.message : String(error);
    throw new ModelError(null, "connection_error", `could not reach ${name} at ${baseUrl}: ${why}`, {
      cause: error,
    });
  });
  const body = parseJson(await wholeText(response.body));
  if (!response.ok) {
    const said = textAt(objectAt(body, "error"), "message");
    throw new ModelError(
      response.status,
      "api_error",
      `${name} answers ${response.status}${said ? `: ${said}` : ""}`,
    );
  }
  return listAt(body, "data").slice(0, MAX_MODELS).flatMap(toListed);
}

/** Aggregators list hundreds of models, each with its prices and abilities. */
const MAX_LIST_BYTES = 16 * 1024 * 1024;

async function wholeText(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    read.push(piece);
    size += piece.length;
    if (size > MAX_LIST_BYTES) break;
  }
  return Buffer.concat(read).toString("utf8");
}

function toListed(given: unknown): ListedModel[] {
  // Gemini has the name of its collection before each.
  const id = textAt(given, "id")?.replace(/^models\//, "");
  if (id === undefined) return [];
  const contextWindow =
    countAt(given, "context_length") ?? countAt(given, "max_model_len") ?? countAt(given, "context_window");
  return [{ id, created: countAt(given, "created"), contextWindow }];
}
