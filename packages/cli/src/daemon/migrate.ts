import { defaultConfig, StoreError } from "@agentwire/daemon";
import { isStoreUrl, readSettings } from "@agentwire/daemon/settings";
import { copyToServer } from "@agentwire/daemon/store";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { type Call, textOption } from "../command.ts";
import { CliError, UsageError } from "../errors.ts";
import { locationOf } from "./location.ts";
import { startFailure } from "./serve.ts";

/** Copies the store of a stopped daemon into a PostgreSQL database. */
export async function migrate(call: Call): Promise<number> {
  const { io, json } = call;
  const to = textOption(call, "to");
  if (!isStoreUrl(to))
    throw new UsageError("--to needs the address of a database: postgres://user@host/database");
  const { folder, settings } = locationOf(io);
  const { config } = readSettings(settings, defaultConfig(io.env, io.cwd));
  try {
    const { place, copied } = await copyToServer(folder, to, config.cluster);
    const { sessions = 0, events = 0 } = copied;
    io.stdout.write(
      json
        ? `${JSON.stringify({ place, copied })}\n`
        : `${sessions} sessions with ${events} events and everything else are now in ${place}\n  the file is unchanged: ${folder}/agentwire.db\n  next: put the address into settings.json (store.url), then agentwire daemon start\n`,
    );
    return EXIT_CODES.done;
  } catch (error) {
    if (error instanceof StoreError && error.code === "busy")
      throw new CliError(error.message, { hint: "stop it: agentwire daemon stop", cause: error });
    throw startFailure(error, folder);
  }
}
