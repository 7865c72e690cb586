import { join } from "node:path";
import { defaultConfig } from "@agentwire/daemon";
import type { Io } from "../io.ts";

/** Where a daemon keeps its things, and where it is found. */
export interface DaemonLocation {
  readonly folder: string;
  readonly socket: string;
  /** What it says while it runs in the background. */
  readonly log: string;
  /** Which process it is, and where it listens. */
  readonly runFile: string;
  readonly settings: string;
}

/** The location that the environment names. */
export function locationOf({ env, cwd }: Pick<Io, "env" | "cwd">): DaemonLocation {
  const { folder, socketPath } = defaultConfig(env, cwd);
  return {
    folder,
    socket: socketPath,
    log: join(folder, "daemon.log"),
    runFile: join(folder, "daemon.json"),
    settings: join(folder, "settings.json"),
  };
}
