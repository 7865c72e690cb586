import type { AgentConfig } from "@agentwire/daemon";
import { HostError } from "@agentwire/host";
import { examineAgent } from "@agentwire/host/agent";
import { printNotice, printVersion } from "@agentwire/protocol/compatibility";
import type { Io } from "../io.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

/** Looks for an agent and asks what it is; the first one is the one that sessions get, so it must be there. */
export async function examine(agent: AgentConfig, isDefault: boolean, { env }: Io): Promise<Finding> {
  const about = `agent ${agent.name}${isDefault ? " (default)" : ""}`;
  try {
    const { path, version, verdict } = await examineAgent({
      agent: agent.path,
      isOwn: agent.path === undefined,
      env: { ...env, ...agent.env },
    });
    const found = `${version ? printVersion(version) : "unknown version"} at ${path}`;
    if (verdict.exitCode !== undefined)
      return problem(about, `${verdict.message} (${path})`, "update it, or name another in settings.json");
    if (verdict.level === "FULLY_COMPATIBLE" && !verdict.notice) return ok(about, found);
    const advice = verdict.notice
      ? printNotice(verdict.notice)
      : "try it; new kinds of messages are passed on unchanged";
    return warning(about, `${verdict.message} (${found})`, advice);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    const advice = isDefault
      ? "install it, or choose another default_agent in settings.json"
      : "needed only by sessions that name it; install it or put it on PATH";
    return (isDefault ? problem : warning)(
      about,
      error.message.replace(/: give the path of one\.$/, ""),
      advice,
    );
  }
}
