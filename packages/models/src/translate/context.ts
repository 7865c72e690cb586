import type { ModelFacts, Provider } from "../providers/provider.ts";
import type { Adaptation } from "./adaptations.ts";
import type { ToolNames } from "./tool-names.ts";

/** What the translation of one call knows beside the request. */
export interface CallContext {
  readonly provider: Provider;
  /** The model as the provider calls it. */
  readonly model: string;
  readonly facts: ModelFacts;
  readonly names: ToolNames;
  readonly adaptations: ReadonlySet<Adaptation>;
}
