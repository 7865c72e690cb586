import { BackupResponseSchema } from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol/support";
import type { Call } from "../command.ts";
import { jsonLine } from "../talk/json.ts";
import { pathThere } from "./path-there.ts";
import { runningDaemon } from "./reach.ts";

/** Copies the store into a file. */
export async function backup({ io, json, args: [file = ""] }: Call): Promise<number> {
  const { admin } = await runningDaemon(io, "backup");
  const done = await admin.backup({ path: pathThere(io, file, file) });
  const size = (Number(done.sizeBytes) / 1_048_576).toFixed(1);
  io.stdout.write(
    json ? jsonLine(BackupResponseSchema, done) : `${done.path} holds everything (${size} MB)\n`,
  );
  return EXIT_CODES.done;
}
