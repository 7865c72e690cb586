import { existsSync } from "node:fs";
import { HealthStatus } from "@agentwire/api";
import { type AgentConfig, defaultConfig } from "@agentwire/daemon";
import { readSettings, SettingsError } from "@agentwire/daemon/settings";
import { EXIT_CODES } from "@agentwire/protocol/support";
import type { Call } from "../command.ts";
import { type DaemonLocation, locationOf } from "../daemon/location.ts";
import { daemonClient, healthOf } from "../daemon/reach.ts";
import { unresponsiveProcess } from "../daemon/unresponsive-process.ts";
import { CliError } from "../errors.ts";
import type { Io } from "../io.ts";
import { type Style, styleFor } from "../render/style.ts";
import { remoteOf } from "../talk/remote.ts";
import { toCliError } from "../talk/rpc-error.ts";
import { VERSION } from "../version.ts";
import { examineAcpAgents } from "./acp-agents.ts";
import { examine } from "./agents.ts";
import { examineFiles } from "./files.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";
import { examineModels } from "./models.ts";
import { examineRemote } from "./remote.ts";
import { slowProcesses } from "./shared-processes.ts";

/** Checks for everything that may be wrong; exit code 1 if there is a problem. */
export async function doctor({ io, json }: Call): Promise<number> {
  const remote = remoteOf(io);
  const findings = [
    ok("agentwire", `${VERSION} on Node ${process.versions.node}`),
    ...(remote
      ? examineRemote(remote.address, await healthOf(daemonClient(io, "doctor")))
      : await examineHere(io)),
  ];
  const isWell = findings.every(({ level }) => level !== "problem");
  if (json) io.stdout.write(`${JSON.stringify({ ok: isWell, findings })}\n`);
  else
    io.stdout.write(
      findings.map((finding) => print(finding, styleFor(io.stdout, io.env))).join("") + summary(findings),
    );
  return isWell ? EXIT_CODES.done : EXIT_CODES.turnFailed;
}

async function examineHere(io: Io): Promise<readonly Finding[]> {
  const place = locationOf(io);
  const { findings: settings, agents, storeUrl } = examineSettings(io, place);
  const server = io.env.AGENTWIRE_STORE || storeUrl;
  return [
    ...settings,
    ...(server ? await (await import("./server.ts")).examineStoreServer(server) : []),
    ...(await Promise.all(agents.map((agent, index) => examine(agent, index === 0, io)))).flat(),
    ...(await examineAcpAgents(agents, io)),
    ...(await examineModels(io)),
    ...examineFiles(place),
    ...(await examineDaemon(io, place)),
  ];
}

function examineSettings(
  io: Io,
  { settings }: DaemonLocation,
): { findings: readonly Finding[]; agents: readonly AgentConfig[]; storeUrl?: string | undefined } {
  const ours = defaultConfig(io.env, io.cwd);
  try {
    const { config, warnings } = readSettings(settings, ours);
    const unknown = warnings.map((text) => warning("settings", text, "check the spelling, or remove it"));
    const text = existsSync(settings) ? settings : `none, defaults apply (${settings})`;
    return { findings: [ok("settings", text), ...unknown], agents: config.agents, storeUrl: config.storeUrl };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return {
      findings: [problem("settings", error.message, "fix it: the daemon does not start until then")],
      agents: ours.agents,
    };
  }
}

async function examineDaemon(io: Io, place: DaemonLocation): Promise<readonly Finding[]> {
  const health = await healthOf(daemonClient(io, "doctor")).catch(knownError);
  if (health instanceof CliError) return [problem("daemon", health.message, health.hint ?? "")];
  if (!health) {
    const pid = unresponsiveProcess(place);
    if (pid !== undefined)
      return [
        problem(
          "daemon",
          `process ${pid} is running but does not answer at ${place.socket}`,
          `see ${place.log}; stop it: agentwire daemon stop`,
        ),
      ];
    return [warning("daemon", "not running", "start it: agentwire daemon start (agentwire run does too)")];
  }
  const findings = [ok("daemon", `${health.version} answers at ${place.socket}`)];
  if (health.version !== VERSION)
    findings.push(
      warning(
        "daemon",
        `it is version ${health.version}, this program is ${VERSION}`,
        "restart it: agentwire daemon stop && agentwire daemon start",
      ),
    );
  if (health.status === HealthStatus.NOT_SERVING)
    findings.push(
      problem("store", health.store?.message || "it is not accepting requests", `see ${place.log}`),
    );
  if (health.status === HealthStatus.SERVING_DEGRADED)
    findings.push(warning("daemon", "it is degraded", "details: agentwire daemon status --json"));
  findings.push(...slowProcesses(health));
  return findings;
}

/** The error to show for a daemon that can't be reached; rethrows anything unexpected. */
function knownError(error: unknown): CliError {
  const known = toCliError(error);
  if (!known) throw error;
  return known;
}

function print({ level, about, text, advice }: Finding, { green, yellow, red, dim }: Style): string {
  const mark = { ok: green("ok      "), warning: yellow("warning "), problem: red("problem ") }[level];
  const more =
    advice === undefined
      ? ""
      : advice
          .split("\n")
          .map((line) => `${dim(`         ${line}`).trimEnd()}\n`)
          .join("");
  return `${mark} ${about}: ${text}\n${more}`;
}

function summary(findings: readonly Finding[]): string {
  const problems = findings.filter(({ level }) => level === "problem").length;
  const warnings = findings.filter(({ level }) => level === "warning").length;
  if (problems === 0 && warnings === 0) return "No problems found.\n";
  return `${problems} ${problems === 1 ? "problem" : "problems"}, ${warnings} ${warnings === 1 ? "warning" : "warnings"}.\n`;
}
