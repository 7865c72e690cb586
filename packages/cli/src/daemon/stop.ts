import { setTimeout } from "node:timers/promises";
import { defaultConfig } from "@agentwire/daemon";
import { readSettings } from "@agentwire/daemon/settings";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { type Call, hasOption } from "../command.ts";
import { CliError } from "../errors.ts";
import { locationOf } from "./location.ts";
import { daemonClient, healthOf } from "./reach.ts";
import { isAlive, readRunFile } from "./run-file.ts";
import { unresponsiveProcess } from "./unresponsive-process.ts";

/** Gives agents time to exit. */
const STOP_MS = 30_000;
const LOOK_MS = 20;
/** A wait is explained only if it is long enough to notice. */
const SILENT_MS = 1000;

/** Stops the daemon and waits until its process has exited. */
export async function stop(call: Call): Promise<number> {
  const { io, json } = call;
  const place = locationOf(io);
  const { folder, runFile, settings } = place;
  const say = (stopped: boolean, text: string) =>
    void io.stdout.write(json ? `${JSON.stringify({ stopped })}\n` : `${text}\n`);
  const health = await healthOf(daemonClient(io, "daemon"));
  const pid = health ? readRunFile(runFile)?.pid : unresponsiveProcess(place);
  if (!health && pid === undefined) {
    say(false, `No daemon is running in ${folder}.`);
    return EXIT_CODES.done;
  }
  if (pid === undefined || !isAlive(pid))
    throw new CliError("the daemon answers, but it was not started by this program", {
      hint: "stop it the way it was started",
    });
  process.kill(pid, "SIGTERM");
  const { drainMs } = readSettings(settings, defaultConfig(io.env, io.cwd)).config;
  const isNow = hasOption(call, "now");
  const limit = STOP_MS + (isNow ? 0 : drainMs);
  const isWaiting = !isNow && (health?.sessions?.running ?? 0) > 0;
  let explainMs = isWaiting ? Date.now() + SILENT_MS : Number.POSITIVE_INFINITY;
  for (const end = Date.now() + limit; isAlive(pid); await setTimeout(LOOK_MS)) {
    if (Date.now() > explainMs) {
      explainMs = Number.POSITIVE_INFINITY;
      io.stderr.write(
        `Waiting up to ${drainMs / 1000} s for running turns; to end them now: agentwire daemon stop --now\n`,
      );
    }
    // After a second signal the daemon no longer waits for turns.
    if (isNow) signal(pid);
    if (Date.now() > end)
      throw new CliError(`the daemon did not stop within ${limit / 1000} seconds`, {
        hint: `kill -9 ${pid} ends it; nothing acknowledged is lost`,
      });
  }
  say(true, "The daemon has stopped.");
  return EXIT_CODES.done;
}

/** The process may already have exited. */
function signal(pid: number): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch {}
}
