import { join } from "node:path";
import { defaultConfig } from "@agentwire/daemon";
import type { Io } from "../io.ts";

/** The files of a daemon and the socket where it is reached. */
export interface DaemonLocation {
  readonly folder: string;
  readonly socket: string;
  /** The log file of a daemon in the background. */
  readonly log: string;
  /** Records its process id and addresses. */
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
