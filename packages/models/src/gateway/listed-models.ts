import type { JsonObject } from "@agentwire/protocol";
import { foundModels } from "../providers/list-models.ts";
import type { Providers } from "../providers/providers.ts";

/** How long providers may take to say which models they have. */
const LIST_MS = 5000;

/** What `GET /v1/models` answers: the models of all providers that can be reached. */
export async function listedModels(providers: Providers): Promise<JsonObject> {
  const lists = await foundModels(providers, [], AbortSignal.timeout(LIST_MS));
  const data = lists.flatMap(({ provider, models }) =>
    models.map(({ id, created }) => ({
      type: "model",
      id: `${provider.name}/${id}`,
      display_name: `${id} (${provider.name})`,
      created_at: new Date((created ?? 0) * 1000).toISOString(),
    })),
  );
  return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
}
