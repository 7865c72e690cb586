import type { NamedModel, Providers } from "../providers/providers.ts";
import { requestError } from "./error-reply.ts";

/** The models that stand in for names without a provider here, such as Claude's. */
export interface ModelNames {
  readonly model?: string | undefined;
  /** The stand-in for small, fast models, which clients use for titles and the like. */
  readonly small?: string | undefined;
}

const SMALL = /haiku/i;

/** The model that a client asks for; throws the error for the client if there is none. */
export function meantModel(
  name: string,
  { names, providers }: { readonly names: ModelNames; readonly providers: Providers },
): NamedModel {
  const { model, small = model } = names;
  const standIn = SMALL.test(name) ? small : model;
  const found = providers.named(name) ?? (standIn === undefined ? undefined : providers.named(standIn));
  if (found) return found;
  throw requestError(
    404,
    "not_found_error",
    name.includes("/")
      ? `model: ${providers.absence(name)}`
      : `model: the gateway has no provider for ${name}: use provider/model, or start the gateway with --model`,
  );
}
