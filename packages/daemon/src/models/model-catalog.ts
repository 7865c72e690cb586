import type { ModelChoice } from "@agentwire/models/probe";
import type { Environment } from "@agentwire/models/providers";

/** The models that can be reached, and the providers that could not be asked. */
export interface ReachableModels {
  readonly models: readonly ModelChoice[];
  readonly problems: readonly { readonly provider: string; readonly problem: string }[];
}

/** How long providers may take to say which models they have. */
const LIST_MS = 5000;
/** How long an answer holds: a model that was just loaded on this machine should show up soon. */
const FRESH_MS = 60_000;

interface Listing {
  readonly found: Promise<ReachableModels>;
  readonly at: number;
}

/** Asks providers which models they have, by agent: each has variables of its own. Many clients that ask at once cause one question. */
export class ModelCatalog {
  readonly #home: string;
  readonly #listings = new Map<string, Listing>();

  constructor(home: string) {
    this.#home = home;
  }

  /** The models that the variables of an agent lead to. */
  list(agent: string, env: Environment, refresh: boolean): Promise<ReachableModels> {
    const known = this.#listings.get(agent);
    if (known && !refresh && performance.now() - known.at < FRESH_MS) return known.found;
    const found = ask(env, this.#home);
    // What has failed is asked again.
    found.catch(() => this.#listings.delete(agent));
    this.#listings.set(agent, { found, at: performance.now() });
    return found;
  }
}

async function ask(env: Environment, home: string): Promise<ReachableModels> {
  // Most daemons are never asked.
  const { claudeProvider, foundModels, modelChoices } = await import("@agentwire/models/probe");
  const { userProviders } = await import("./user-providers.ts");
  const providers = await userProviders(env, home);
  const claude = providers.get("anthropic") ? undefined : claudeProvider(env);
  const lists = await foundModels(providers, claude ? [claude] : [], AbortSignal.timeout(LIST_MS));
  const problems = lists.flatMap(({ provider, problem }) =>
    problem === undefined ? [] : [{ provider: provider.name, problem }],
  );
  const faults = providers.faults.map((problem) => ({ provider: "", problem }));
  return { models: modelChoices(lists), problems: [...problems, ...faults] };
}
