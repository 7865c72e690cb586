import type { ModelSchema, ModelService } from "@agentwire/api";
import type { ModelChoice } from "@agentwire/models/probe";
import type { ModelInfo } from "@agentwire/protocol/control";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type { Daemon } from "../daemon.ts";

type Model = MessageInitShape<typeof ModelSchema>;

/** Lists the models that sessions can run with. */
export function modelService({ agents, catalog }: Daemon): ServiceImpl<typeof ModelService> {
  return {
    async listModels({ agent, refresh }) {
      const { name, env, offered, takesProviders } = agents.chosen(agent);
      const { models, problems } = await catalog.list(name, env, refresh);
      const usable = models.filter((model) => takesProviders || !model.name.includes("/"));
      return { models: [...offered.map(ownModel), ...usable.map(toModel)], problems: [...problems] };
    },
  };
}

const ownModel = ({ value, displayName, description, resolvedModel = "" }: ModelInfo): Model => ({
  name: value,
  title: displayName,
  description,
  standsFor: resolvedModel,
});

function toModel({ name, provider, contextWindow, maxOutputTokens, prices, ...can }: ModelChoice): Model {
  return {
    name,
    provider,
    ...(contextWindow !== undefined && { contextWindow: BigInt(Math.round(contextWindow)) }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens: BigInt(Math.round(maxOutputTokens)) }),
    ...(prices && { prices: pricesOf(prices) }),
    ...(can.callsTools !== undefined && { callsTools: can.callsTools }),
    ...(can.thinks !== undefined && { thinks: can.thinks }),
    ...(can.images !== undefined && { takesImages: can.images }),
    ...(can.documents !== undefined && { takesDocuments: can.documents }),
  };
}

const pricesOf = ({ input, output, cacheRead, cacheWrite }: NonNullable<ModelChoice["prices"]>) => ({
  input,
  output,
  ...(cacheRead !== undefined && { cacheRead }),
  ...(cacheWrite !== undefined && { cacheWrite }),
});
