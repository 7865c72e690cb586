import { parseJson } from "@agentwire/protocol/support";
import { createNodeFetch } from "../http/node-fetch.ts";
import { listAt, objectAt, textAt } from "../json.ts";
import { ModelError } from "../model-error.ts";
import { ProviderKey } from "./key.ts";
import { type ListedModel, toListed } from "./listed-model.ts";
import type { Provider } from "./provider.ts";
import type { Providers } from "./providers.ts";
import { unreachable } from "./unreachable.ts";
import { WELL_KNOWN } from "./well-known.ts";

/** The models of one provider, or why they can't be listed. */
export interface ModelList {
  readonly provider: Provider;
  readonly models: readonly ListedModel[];
  readonly problem?: string;
}

/** The models of the available providers, of the given others, and of servers on this machine that the settings do not name. */
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

/** Queries all providers in parallel; one that fails has a problem and no models. */
function reachableModels(providers: readonly Provider[], signal: AbortSignal): Promise<ModelList[]> {
  return Promise.all(
    providers.map(async (provider) => {
      try {
        return { provider, models: withDescribed(provider, await listModels(provider, signal)) };
      } catch (error) {
        const described = hasNoList(error) ? withDescribed(provider, []) : [];
        if (described.length > 0) return { provider, models: described };
        const problem = error instanceof Error ? error.message : String(error);
        return { provider, models: [], problem };
      }
    }),
  );
}

/** Why the server of a provider can't be reached; undefined if it answers, whatever it says. */
export async function connectionProblem(
  provider: Provider,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    await listModels(provider, signal);
  } catch (error) {
    if (error instanceof ModelError && error.status === null) return error.message;
  }
  return undefined;
}

/** Adds the models that the settings describe: not every server has a list, and a list may be incomplete. */
function withDescribed({ models }: Provider, listed: readonly ListedModel[]): readonly ListedModel[] {
  const names = Object.keys(models).filter((name) => name !== "*" && !listed.some(({ id }) => id === name));
  return [...listed, ...names.flatMap((id) => toListed({ id }))];
}

const hasNoList = (error: unknown) =>
  error instanceof ModelError && (error.status === 404 || error.status === 405 || error.status === 501);

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
    throw unreachable(provider, signal.aborted ? "no response in time" : error);
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
