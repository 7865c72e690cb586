import type { ModelChoice } from "@agentwire/models/probe";
import type { Environment } from "@agentwire/models/providers";

/** The models that can be reached, and problems with providers. */
export interface ReachableModels {
  readonly models: readonly ModelChoice[];
  readonly problems: readonly { readonly provider: string; readonly problem: string }[];
}

/** How long providers may take to list their models. */
const LIST_MS = 5000;
/** How long a list is cached; short, so that a model that was just loaded on this machine shows up soon. */
const FRESH_MS = 60_000;

interface Listing {
  readonly found: Promise<ReachableModels>;
  readonly at: number;
}

/** Lists providers' models per agent, since each agent has its own variables. Concurrent requests share one query. */
export class ModelCatalog {
  readonly #home: string;
  readonly #listings = new Map<string, Listing>();

  constructor(home: string) {
    this.#home = home;
  }

  /** The models that can be reached with the variables of an agent. */
  list(agent: string, env: Environment, refresh: boolean): Promise<ReachableModels> {
    const known = this.#listings.get(agent);
    if (known && !refresh && performance.now() - known.at < FRESH_MS) return known.found;
    const found = ask(env, this.#home);
    // Failures are not cached.
    found.catch(() => this.#listings.delete(agent));
    this.#listings.set(agent, { found, at: performance.now() });
    return found;
  }
}

async function ask(env: Environment, home: string): Promise<ReachableModels> {
  // Loaded lazily, since most daemons are never asked.
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
