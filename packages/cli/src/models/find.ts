import { defaultConfig } from "@agentwire/daemon";
import { userModels, userProviders } from "@agentwire/daemon/models";
import { claudeProvider, foundModels, type ModelList } from "@agentwire/models/probe";
import type { Provider, Providers } from "@agentwire/models/providers";
import type { Io } from "../io.ts";

/** The providers that the environment of a command names. */
export interface KnownProviders {
  readonly providers: Providers;
  /** Claude at the Messages API, if anything says how to reach it. */
  readonly claude: Provider | undefined;
  /** The models that variables and settings choose, with where they do. */
  readonly chosen: ReadonlyMap<string, string>;
}

/** Reads which providers there are. */
export async function knownProviders({ env, cwd }: Io): Promise<KnownProviders> {
  const { home } = defaultConfig(env, cwd);
  const [providers, chosen] = await Promise.all([userProviders(env, home), userModels(env, home)]);
  return { providers, chosen, claude: providers.get("anthropic") ? undefined : claudeProvider(env) };
}

/** Asks all of them which models they have, and the servers of this machine as well. */
export function findModels({ providers, claude }: KnownProviders, limitMs: number): Promise<ModelList[]> {
  return foundModels(providers, claude ? [claude] : [], AbortSignal.timeout(limitMs));
}
