import { type AgentConfig, defaultConfig } from "@agentwire/daemon";
import { isolationsOf } from "@agentwire/daemon/settings";
import { HostError } from "@agentwire/host";
import { examineAgent } from "@agentwire/host/agent";
import { printNotice, printVersion } from "@agentwire/protocol/compatibility";
import { silentLog } from "@agentwire/protocol/support";
import type { Io } from "../io.ts";
import { examineCommandsSandbox } from "./commands-sandbox.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

/** Checks whether an agent is installed and usable; the default one must be, since sessions use it. */
export async function examine(agent: AgentConfig, isDefault: boolean, io: Io): Promise<readonly Finding[]> {
  const { env, cwd } = io;
  const { home, folder } = defaultConfig(env, cwd);
  const about = `agent ${agent.name}${isDefault ? " (default)" : ""}`;
  const isolation = isolationsOf([agent], { env, home, folder, log: silentLog }, () => {}).get(agent.name);
  const isOwn = agent.path === undefined;
  const missing = await isolation?.problem();
  if (missing !== undefined)
    return [
      problem(
        about,
        `it must run in a sandbox, but none is available: ${missing}`,
        `do that, or remove agents.${agent.name}.sandbox from settings.json`,
      ),
    ];
  try {
    const { path, version, verdict } = await examineAgent({
      agent: agent.path,
      isOwn,
      env: { ...env, ...agent.env },
      ...(agent.dialect && { dialect: agent.dialect }),
      ...(isolation && { confine: await isolation.forVersion() }),
    });
    const where = agent.sandbox ? `${path}, in a sandbox` : path;
    const known = version
      ? printVersion(version)
      : agent.dialect === "acp"
        ? verdict.message
        : "unknown version";
    const found = `${known} at ${where}`;
    if (verdict.exitCode !== undefined)
      return [problem(about, `${verdict.message} (${path})`, "update it, or name another in settings.json")];
    const sandbox = isOwn ? await examineCommandsSandbox(path, agent, io) : [];
    if (verdict.level === "FULLY_COMPATIBLE" && !verdict.notice) return [ok(about, found), ...sandbox];
    const advice = verdict.notice
      ? printNotice(verdict.notice)
      : "try it; new kinds of messages are passed on unchanged";
    return [warning(about, `${verdict.message} (${found})`, advice), ...sandbox];
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    const advice = isDefault
      ? "install it, or choose another default_agent in settings.json"
      : "needed only by sessions that name it; install it or put it on PATH";
    const said = error.message.replace(/: (?:install it, or )?give the path of one\.$/, "");
    return [(isDefault ? problem : warning)(about, said, advice)];
  }
}
