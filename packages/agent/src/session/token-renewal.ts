import type { Config } from "../config/config.ts";
import { modelSources } from "../config/model-sources.ts";
import { anthropicModel } from "../model/anthropic.ts";
import type { KnownProviders } from "../model/known-providers.ts";
import type { LiveModel } from "../model/live-model.ts";
import type { ModelState } from "../model/model-state.ts";
import { routedModel } from "../model/routed-model.ts";

/** The variables that a host may renew while the agent runs: credentials, nothing that changes what it does. */
const RENEWABLE: ReadonlySet<string> = new Set(["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"]);

/** Takes fresh tokens over from the next model call on; returns the names that were. Child processes never see them. */
export function tokenRenewal(
  config: Config,
  model: LiveModel,
  providers: KnownProviders,
  models: Pick<ModelState, "reachClaude">,
): (variables: { readonly [name: string]: string }) => readonly string[] {
  let env = config.env;
  return (variables) => {
    const fresh = Object.entries(variables).filter(([name]) => RENEWABLE.has(name));
    if (fresh.length === 0) return [];
    env = { ...env, ...Object.fromEntries(fresh) };
    const sources = modelSources({ ...config, env }, {});
    if (sources.script === undefined) {
      model.replace(routedModel(anthropicModel(sources), providers, sources));
      models.reachClaude();
    }
    return fresh.map(([name]) => name);
  };
}
