import { defaultConfig } from "@agentwire/daemon";
import { userModels, userProviders } from "@agentwire/daemon/models";
import { claudeProvider, foundModels, type ModelList } from "@agentwire/models/probe";
import type { Provider, Providers } from "@agentwire/models/providers";
import type { Io } from "../io.ts";

/** The providers found in a command's environment. */
export interface KnownProviders {
  readonly providers: Providers;
  /** Claude over the Messages API, if it is configured. */
  readonly claude: Provider | undefined;
  /** The models chosen by variables and settings, each with where it is chosen. */
  readonly chosen: ReadonlyMap<string, string>;
}

/** Finds the configured providers. */
export async function knownProviders({ env, cwd }: Io): Promise<KnownProviders> {
  const { home } = defaultConfig(env, cwd);
  const [providers, chosen] = await Promise.all([userProviders(env, home), userModels(env, home)]);
  return { providers, chosen, claude: providers.get("anthropic") ? undefined : claudeProvider(env) };
}

/** Lists the models of all providers and of the servers on this machine. */
export function findModels({ providers, claude }: KnownProviders, limitMs: number): Promise<ModelList[]> {
  return foundModels(providers, claude ? [claude] : [], AbortSignal.timeout(limitMs));
}
