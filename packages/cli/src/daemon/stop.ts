import { setTimeout } from "node:timers/promises";
import { EXIT_CODES } from "@agentwire/protocol";
import type { Call } from "../command.ts";
import { CliError } from "../errors.ts";
import { placeOf } from "./place.ts";
import { daemonClient, healthOf } from "./reach.ts";
import { isAlive, readRunFile } from "./run-file.ts";

/** Agents get their time to end. */
const STOP_MS = 30_000;
const LOOK_MS = 20;

/** Stops the daemon and waits until it is gone. */
export async function stop({ io, json }: Call): Promise<number> {
  const { folder, runFile } = placeOf(io);
  const say = (stopped: boolean, text: string) =>
    void io.stdout.write(json ? `${JSON.stringify({ stopped })}\n` : `${text}\n`);
  if (!(await healthOf(daemonClient(io, "daemon")))) {
    say(false, `No daemon runs in ${folder}.`);
    return EXIT_CODES.done;
  }
  const pid = readRunFile(runFile)?.pid;
  if (pid === undefined || !isAlive(pid))
    throw new CliError("the daemon answers, but it was not started by this program", {
      hint: "end it the way it was started",
    });
  process.kill(pid, "SIGTERM");
  for (const end = Date.now() + STOP_MS; isAlive(pid); await setTimeout(LOOK_MS))
    if (Date.now() > end)
      throw new CliError(`the daemon does not end within ${STOP_MS / 1000} seconds`, {
        hint: `kill -9 ${pid} ends it; nothing that was acknowledged is lost`,
      });
  say(true, "The daemon has stopped.");
  return EXIT_CODES.done;
}
