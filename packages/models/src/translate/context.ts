import type { ModelFacts, Provider } from "../providers/provider.ts";
import type { Adaptation } from "./adaptations.ts";
import type { ToolNames } from "./tool-names.ts";

/** What the translation of a call knows besides the request. */
export interface CallContext {
  readonly provider: Provider;
  /** The provider's name for the model. */
  readonly model: string;
  readonly facts: ModelFacts;
  readonly names: ToolNames;
  readonly adaptations: ReadonlySet<Adaptation>;
}
