import type { Deadlines } from "../deadlines.ts";
import type { Options } from "./options.ts";

/** What a query can be told beside the official options; the official SDK passes over it. */
export type OwnOptions = {
  /** How long the agent may take, and may be silent. */
  readonly deadlines?: Partial<Deadlines>;
  /** A file to which every line of both directions is written, as it is on the wire, secrets included. */
  readonly record?: string;
  /** The longest line that is taken, 128 MiB unless said otherwise; a longer one ends the query. */
  readonly maxLineBytes?: number;
  /** The version of Claude Code that the agent is taken for, e.g. `2.1.325`: it is not asked for its own, and not refused. */
  readonly assumeVersion?: string;
};

/** The official options, and beside them those of this host. */
export type QueryOptions = Options & { agentwire?: OwnOptions };
