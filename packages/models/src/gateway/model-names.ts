import type { NamedModel, Providers } from "../providers/providers.ts";
import { requestError } from "./error-reply.ts";

/** Which models stand in for names that no provider here has, as Claude's. */
export interface ModelNames {
  readonly model?: string | undefined;
  /** For the small and fast ones, which clients use for titles and the like. */
  readonly small?: string | undefined;
}

const SMALL = /haiku/i;

/** The model that a client means; throws what it is told if there is none. */
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
      : `model: ${name} belongs to no provider that the gateway knows; name one as provider/model, or start the gateway with --model`,
  );
}
