import type { FieldFacts } from "./fields.ts";
import type { Holds } from "./orderings.ts";

/** What one version of an agent does on the wire, as far as the scenarios show it; sorted, so that contracts can be compared. */
export interface Contract {
  /** The output of `--version`. */
  readonly agent: string;
  /** The flags in the output of `--help`. */
  readonly flags: readonly string[];
  /** Whether the agent can ask its host for permissions over the wire. */
  readonly asksHost: boolean;
  readonly capabilities: readonly string[];
  readonly tools: readonly string[];
  /** The outcome of each request of the host. */
  readonly requests: Readonly<Record<string, RequestResult>>;
  /** The fields of each kind of message, by path. */
  readonly messages: Readonly<Record<string, FieldFacts>>;
  /** The message orders that hosts rely on. */
  readonly orderings: Readonly<Record<string, Holds>>;
  /** The scenarios in which the agent wrote nothing, usually because it does not know a flag. */
  readonly silentIn: readonly string[];
}

/** The outcome of a request: an answer, an error, either of them, or nothing. */
export type RequestResult = "success" | "error" | "success or error" | "no answer";
