import type { SpawnedProcess, SpawnOptions } from "../sdk/process.ts";

/** A program and what to start it with. */
export interface CommandLine {
  /** A path, or a name to look up on the PATH of `env`. */
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the program: nothing is added, and undefined values are left out. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A sandbox for one program. */
export interface Confinement {
  /** The command line that runs the program inside. */
  enter(wanted: CommandLine): CommandLine;
  /** Called with the process group as soon as the program runs; must not throw. */
  entered(group: number): void;
  /** Called when the program is gone or never ran; returns why the sandbox ended it, if it did. */
  left(): string | undefined;
}

/** Everything needed to start a program. */
export interface Start extends CommandLine {
  readonly cwd?: string;
  /** A sandbox to start it in. */
  readonly confinement?: Confinement;
  /** Called with what the program writes to stderr, as it comes. */
  readonly onStderr?: (text: string) => void;
  /** Called with the process group as soon as the program runs; must not throw. */
  readonly onGroup?: (group: number) => void;
  /** Starts the program elsewhere, e.g. in a container; its process group is then up to the caller. */
  readonly spawn?: (options: SpawnOptions) => SpawnedProcess;
}
