import type { Deadlines } from "../deadlines.ts";
import type { Options } from "./options.ts";

/** The options of a query beyond the official ones; the official SDK ignores them. */
export type OwnOptions = {
  /** How long the agent may take or stay silent. */
  readonly deadlines?: Partial<Deadlines>;
  /** A file to which every line of both directions is written exactly as on the wire, secrets included. */
  readonly record?: string;
  /** The longest line accepted, 128 MiB by default; a longer one ends the query. */
  readonly maxLineBytes?: number;
  /** The version of Claude Code to assume, e.g. `2.1.325`: the agent is not asked for its version, and never rejected for it. */
  readonly assumeVersion?: string;
};

/** The official options and those of this host. */
export type QueryOptions = Options & { agentwire?: OwnOptions };
