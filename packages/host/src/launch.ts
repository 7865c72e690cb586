import type { AgentMessage, DialectName, Line, Log, Malformed, Version } from "@agentwire/protocol";
import type { Deadlines } from "./deadlines.ts";
import type { SpawnedProcess, SpawnOptions } from "./sdk/process.ts";

/** What it takes to start an agent. */
export interface Launch {
  /** The program: a path, or a name to be looked for on the PATH of `env`. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** The whole environment of the agent; nothing is added, an undefined value is left out. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How the agent spells the wire; the official way of today unless said otherwise. */
  readonly dialect?: DialectName;
  /** What the agent is known to be: it is not sent what would end it. */
  readonly version?: Version;
  readonly deadlines?: Partial<Deadlines>;
  /** The longest line that is taken, 128 MiB unless said otherwise; a longer one ends the link, unless `onMalformed` decides. */
  readonly maxLineBytes?: number;
  /** Told of each message with the line it came in, before anyone takes it; must not throw. */
  readonly onMessage?: (message: AgentMessage, line: Line) => void;
  /** Told of each line that is not a message, which is then passed over; must not throw. */
  readonly onMalformed?: (fault: Malformed, line: Line) => void;
  /** Told what the agent writes to stderr, as it comes. */
  readonly onStderr?: (text: string) => void;
  /** Starts the agent elsewhere, e.g. in a container; its process group is then the caller's business. */
  readonly spawn?: (options: SpawnOptions) => SpawnedProcess;
  /** A file to which every line of both directions is written, as it is on the wire, secrets included. */
  readonly record?: string;
  readonly log?: Log;
  /** Closes the link when it fires; everything open then ends with `aborted`. */
  readonly signal?: AbortSignal;
}
