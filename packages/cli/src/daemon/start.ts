import { EXIT_CODES } from "@agentwire/protocol/support";
import { type Call, hasOption, textOption } from "../command.ts";
import { CliError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Client } from "../talk/client.ts";
import { consoleLink } from "./console-link.ts";
import type { StartedDaemon } from "./launch.ts";
import { locationOf } from "./location.ts";
import { portOption } from "./port-option.ts";
import { daemonClient, healthOf, introduction, launchUnlessThere } from "./reach.ts";
import { readRunFile } from "./run-file.ts";
import type { StartReport } from "./serve.ts";
import { pendingSettings } from "./settings-news.ts";

/** Starts the daemon: in the background, or in this process until it is told to stop. */
export async function start(given: Call): Promise<number> {
  const call = withStore(given);
  const { io } = call;
  const port = portOption(call);
  if (hasOption(call, "foreground")) return foreground(call, port);
  if (await isRunning(call, port)) return EXIT_CODES.done;
  const client = daemonClient(io, "daemon");
  const started = await launchUnlessThere(io, client, port);
  if (started) {
    tell(call, "started", started, await linkFor(call, client));
    if (!call.json) io.stdout.write(`\n${await introduction(io)}`);
  } else await isRunning(call, port);
  return EXIT_CODES.done;
}

/** Passes `--store` on in the environment, where the daemon looks for it. */
function withStore(call: Call): Call {
  const url = textOption(call, "store");
  return url === undefined
    ? call
    : { ...call, io: { ...call.io, env: { ...call.io.env, AGENTWIRE_STORE: url } } };
}

async function foreground(call: Call, port: number | undefined): Promise<number> {
  const isChild = process.send !== undefined;
  if (!isChild && (await isRunning(call, port))) return EXIT_CODES.done;
  const { serve } = await import("./serve.ts");
  try {
    await serve(call.io, port, ({ addresses, notice, daemon }, warnings) => {
      if (isChild) report({ addresses, notice, warnings });
      else {
        const link = maySeeLink(call) ? daemon.consoleLink("daemon start") : undefined;
        // Its warnings are in the log, which is on stderr here.
        tell(call, "listening", { addresses, notice, warnings: [] }, link?.url);
        // Only for people: the introduction does not belong in a log.
        if (!call.json && call.io.stdout.isTTY) introduce(call.io);
      }
    });
    // A requested stop is a success.
    return EXIT_CODES.done;
  } catch (error) {
    if (isChild && error instanceof CliError) {
      const { message, hint, exitCode } = error;
      report({ failure: message, exitCode, ...(hint !== undefined && { hint }) });
    }
    throw error;
  }
}

/** Not awaited: the daemon must not wait for models that can't be reached. */
function introduce(io: Io): void {
  introduction(io).then(
    (said) => said !== "" && io.stdout.write(`\n${said}`),
    (error: unknown) => io.stderr.write(`${error instanceof Error ? error.message : error}\n`),
  );
}

/** Reports to the process that started this one, which may be gone. */
function report(result: StartReport): void {
  process.send?.(result, undefined, undefined, () => {
    if (process.connected) process.disconnect();
  });
}

/** Whether a daemon is already running, which is reported; throws if it does not listen on the requested port. */
async function isRunning(call: Call, port: number | undefined): Promise<boolean> {
  const client = daemonClient(call.io, "daemon");
  if (!(await healthOf(client))) return false;
  const location = locationOf(call.io);
  const addresses = readRunFile(location.runFile)?.addresses ?? [location.socket];
  if (port !== undefined && !addresses.some((address) => isAtPort(address, port))) {
    throw new CliError(`a daemon is already running, but not on ${port === 0 ? "a port" : `port ${port}`}`, {
      hint: "run agentwire daemon stop, then try again; sessions are kept",
    });
  }
  const warnings = await pendingSettings(client, call.io.env.AGENTWIRE_STORE);
  tell(call, "running", { addresses, notice: "", warnings }, await linkFor(call, client));
  return true;
}

/** A link signs in anyone who reads it, so it is not written to logs unless that is requested. */
const maySeeLink = (call: Call): boolean => call.io.stdout.isTTY === true || hasOption(call, "link");

const linkFor = async (call: Call, client: Client) =>
  maySeeLink(call) ? (await consoleLink(client))?.url : undefined;

const isAtPort = (address: string, port: number) =>
  URL.canParse(address) && (port === 0 || new URL(address).port === String(port));

const HEADS = {
  started: "The daemon is running in the background and listens on",
  listening: "The daemon listens on",
  running: "A daemon is already running and listens on",
} as const;

function tell(
  { io, json }: Call,
  state: keyof typeof HEADS,
  { addresses, notice, warnings }: StartedDaemon,
  console: string | undefined,
): void {
  const location = locationOf(io);
  if (json) {
    io.stdout.write(
      `${JSON.stringify({ state, addresses, folder: location.folder, notice, warnings, console })}\n`,
    );
    return;
  }
  for (const text of [notice, ...warnings].filter(Boolean)) io.stderr.write(`${text}\n\n`);
  io.stdout.write(`${HEADS[state]} ${addresses.join(" and ")}\n${next(io, state === "listening", console)}`);
}

function next({ env }: Io, isForeground: boolean, console: string | undefined): string {
  // When run through npm, the program is not on PATH.
  const program = env.npm_lifecycle_event === undefined ? "agentwire" : "npx agentwire";
  const link =
    console === undefined
      ? ""
      : `\nConsole link, valid once within five minutes (${program} web prints another):\n  ${console}\n`;
  return `${link}
What to do next${isForeground ? ", in another terminal" : ""}:
  ${program} run "list the files here"   send a prompt
  ${program} attach                      watch a session and take part
  ${program} sessions                    list sessions
  ${program} web                         a link to the console in the browser
  ${program} doctor                      what was found, and what is missing
${isForeground ? "\nCtrl-C stops the daemon; sessions are kept.\n" : ""}`;
}
