import { userInfo } from "node:os";
import { resolve } from "node:path";
import { defaultConfig } from "@agentwire/daemon";
import { readSettings } from "@agentwire/daemon/settings";
import { onPath } from "@agentwire/local/files";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { type Call, hasOption } from "../command.ts";
import { locationOf } from "./location.ts";

/** How long a stop may take in addition to the turns it waits for. */
const STOP_SECONDS = 30;

/** Prints a unit file with which systemd runs the daemon of this folder. */
export async function unit(call: Call): Promise<number> {
  const { io } = call;
  const { folder, settings } = locationOf(io);
  const isSystem = hasOption(call, "system");
  const { drainMs } = readSettings(settings, defaultConfig(io.env, io.cwd)).config;
  const text = unitFile({
    program: [process.execPath, resolve(io.cwd, io.program)],
    folder,
    path: io.env.PATH ?? "",
    canNotify: onPath("systemd-notify", io.env) !== undefined,
    stopSeconds: Math.ceil(drainMs / 1000) + STOP_SECONDS,
    target: isSystem ? "multi-user.target" : "default.target",
    // The folder belongs to this user, and agents run with this user's permissions.
    user: isSystem ? userInfo().username : undefined,
  });
  io.stdout.write(call.json ? `${JSON.stringify({ unit: text })}\n` : text);
  return EXIT_CODES.done;
}

interface UnitFacts {
  readonly program: readonly string[];
  readonly folder: string;
  readonly path: string;
  readonly canNotify: boolean;
  readonly stopSeconds: number;
  readonly target: string;
  readonly user: string | undefined;
}

function unitFile({ program, folder, path, canNotify, stopSeconds, target, user }: UnitFacts): string {
  const type = canNotify ? "Type=notify\nNotifyAccess=all\nWatchdogSec=60" : "Type=exec";
  return `[Unit]
Description=agentwire daemon
After=network.target

[Service]
${type}
${user === undefined ? "" : `User=${user}\n`}ExecStart=${[...program, "daemon", "start", "--foreground"].map(quoted).join(" ")}
ExecReload=/bin/kill -HUP $MAINPID
Environment=${quoted(`AGENTWIRE_HOME=${folder}`)}
Environment=${quoted(`PATH=${path}`)}
# Agents with a sandbox get control groups of their own, with limits.
Delegate=memory pids cpu
# Agents are ended by the daemon; what is left after that is killed.
KillMode=mixed
TimeoutStopSec=${stopSeconds}
Restart=on-failure
RestartSec=2
# A restart would not help: bad usage, no agent, bad settings.
RestartPreventExitStatus=2 72 78
UMask=0077

[Install]
WantedBy=${target}
`;
}

/** Quotes a word for systemd, where percent and dollar signs are special. */
const quoted = (word: string) =>
  `"${word.replace(/[\\"]/g, "\\$&").replaceAll("%", "%%").replaceAll("$", "$$$$")}"`;
