import type { SpawnedProcess, SpawnOptions } from "../sdk/process.ts";

/** What it takes to start a program. */
export interface Start {
  /** A path, or a name to be looked for on the PATH of `env`. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** The whole environment of the program; nothing is added, an undefined value is left out. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told what it writes to stderr, as it comes. */
  readonly onStderr?: (text: string) => void;
  /** Told the number of its process group as soon as it runs; it must not throw. */
  readonly onGroup?: (group: number) => void;
  /** Starts it elsewhere, e.g. in a container; its process group is then the caller's business. */
  readonly spawn?: (options: SpawnOptions) => SpawnedProcess;
}
