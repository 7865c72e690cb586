import { defaultConfig } from "@agentwire/daemon";
import { readSettings, SettingsError } from "@agentwire/daemon/settings";
import { EXIT_CODES } from "@agentwire/protocol/support";
import type { Call } from "../command.ts";
import { CliError } from "../errors.ts";
import { locationOf } from "./location.ts";
import { runningDaemon } from "./reach.ts";
import { isAlive, readRunFile } from "./run-file.ts";

/** Makes the daemon read its settings again; settings that make no sense are told here, and it is left alone. */
export async function reload({ io, json }: Call): Promise<number> {
  const { runFile, settings, log } = locationOf(io);
  await runningDaemon(io, "reload");
  const pid = readRunFile(runFile)?.pid;
  if (pid === undefined || !isAlive(pid))
    throw new CliError("the daemon answers, but it was not started by this program", {
      hint: "send SIGHUP to its process",
    });
  try {
    const { warnings } = readSettings(settings, defaultConfig(io.env, io.cwd));
    for (const warning of warnings) io.stderr.write(`${warning}\n`);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new CliError(error.message, { exitCode: EXIT_CODES.badConfig, cause: error });
  }
  process.kill(pid, "SIGHUP");
  io.stdout.write(
    json
      ? `${JSON.stringify({ pid })}\n`
      : `The daemon is reloading its settings; its log says what changed.\n  ${log}\n`,
  );
  return EXIT_CODES.done;
}
