import { resolve } from "node:path";
import { BackupResponseSchema } from "@agentwire/api";
import { StoreError } from "@agentwire/daemon";
import { restoreStore } from "@agentwire/daemon/store";
import { EXIT_CODES } from "@agentwire/protocol/support";
import type { Call } from "../command.ts";
import { CliError } from "../errors.ts";
import { jsonLine } from "../talk/json.ts";
import { pathForDaemon } from "./daemon-paths.ts";
import { locationOf } from "./location.ts";
import { runningDaemon } from "./reach.ts";
import { startFailure } from "./serve.ts";

/** Backs up the store to a file. */
export async function backup({ io, json, args: [file = ""] }: Call): Promise<number> {
  const { admin } = await runningDaemon(io, "backup");
  const done = await admin.backup({ path: pathForDaemon(io, file, file) });
  const size = (Number(done.sizeBytes) / 1_048_576).toFixed(1);
  io.stdout.write(
    json ? jsonLine(BackupResponseSchema, done) : `${done.path} is a complete backup (${size} MB)\n`,
  );
  return EXIT_CODES.done;
}

/** Replaces the store with a backup. */
export async function restore({ io, json, args: [file = ""] }: Call): Promise<number> {
  const { folder } = locationOf(io);
  try {
    const { path, putAside, sizeBytes } = await restoreStore(folder, resolve(io.cwd, file), new Date());
    const aside = putAside === undefined ? "" : `  the previous store is now ${putAside}\n`;
    io.stdout.write(
      json
        ? `${JSON.stringify({ path, putAside, sizeBytes })}\n`
        : `restored ${file} to ${path} (${(sizeBytes / 1_048_576).toFixed(1)} MB)\n${aside}  next: agentwire daemon start\n`,
    );
    return EXIT_CODES.done;
  } catch (error) {
    if (error instanceof StoreError && error.code === "busy")
      throw new CliError(error.message, { hint: "stop it: agentwire daemon stop", cause: error });
    throw startFailure(error, folder);
  }
}
