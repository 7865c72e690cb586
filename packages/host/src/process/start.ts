import type { SpawnedProcess, SpawnOptions } from "../sdk/process.ts";

/** A program, and what it is started with. */
export interface CommandLine {
  /** A path, or a name to be looked for on the PATH of `env`. */
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the program; nothing is added, an undefined value is left out. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A sandbox for one program. */
export interface Confinement {
  /** What has to be started so that a program runs inside. */
  enter(wanted: CommandLine): CommandLine;
  /** Told the number of its process group as soon as it runs; it must not throw. */
  entered(group: number): void;
  /** Called when it is gone, or never ran; gives why the sandbox ended it, if it did. */
  left(): string | undefined;
}

/** What it takes to start a program. */
export interface Start extends CommandLine {
  readonly cwd?: string;
  /** A sandbox to start it in. */
  readonly confinement?: Confinement;
  /** Told what it writes to stderr, as it comes. */
  readonly onStderr?: (text: string) => void;
  /** Told the number of its process group as soon as it runs; it must not throw. */
  readonly onGroup?: (group: number) => void;
  /** Starts it elsewhere, e.g. in a container; its process group is then the caller's business. */
  readonly spawn?: (options: SpawnOptions) => SpawnedProcess;
}
