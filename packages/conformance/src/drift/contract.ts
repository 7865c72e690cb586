import type { FieldFacts } from "./fields.ts";
import type { Holds } from "./orderings.ts";

/** What one version of an agent does on the wire, as far as the scenarios show it; sorted, so that two of them can be compared. */
export interface Contract {
  /** What `--version` prints. */
  readonly agent: string;
  /** The flags that `--help` names. */
  readonly flags: readonly string[];
  /** Whether the host can be asked for permissions over the wire. */
  readonly asksHost: boolean;
  readonly capabilities: readonly string[];
  readonly tools: readonly string[];
  /** What each request of the host got. */
  readonly requests: Readonly<Record<string, RequestResult>>;
  /** The fields of each kind of message, by path. */
  readonly messages: Readonly<Record<string, FieldFacts>>;
  /** The orders that hosts rely on. */
  readonly orderings: Readonly<Record<string, Holds>>;
  /** The scenarios in which the agent said nothing, most often because it does not know a flag. */
  readonly silentIn: readonly string[];
}

/** What a request got: an answer, an error, the one or the other, or nothing. */
export type RequestResult = "success" | "error" | "success or error" | "no answer";
