import { HostError } from "./errors.ts";

/** Stands in for a function of the official package that needs Anthropic's session service, which only Anthropic runs. */
export function refusedHere(name: string, instead: string): () => never {
  return () => {
    throw new HostError(
      "unsupported_option",
      `${name} needs Anthropic's session service, which this host does not support; ${instead}.`,
    );
  };
}
