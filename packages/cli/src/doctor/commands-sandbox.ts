import { execFile } from "node:child_process";
import type { AgentConfig } from "@agentwire/daemon";
import type { Io } from "../io.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

const ASK_MS = 20_000;

/** Findings of our agent about the sandbox for its commands in this folder; none if it reports nothing. */
export async function examineCommandsSandbox(
  program: string,
  agent: AgentConfig,
  { env, cwd }: Io,
): Promise<readonly Finding[]> {
  const printed = await new Promise<string>((resolve) => {
    const options = { cwd, env: { ...env, ...agent.env }, timeout: ASK_MS };
    // Its exit code also covers unrelated checks.
    execFile(program, ["doctor"], options, (_, stdout) => resolve(stdout));
  });
  const said = /^Sandbox: (.+)$/m.exec(printed)?.[1];
  if (said === undefined) return [];
  const about = "sandbox of commands";
  if (said.startsWith("off")) return [ok(about, said)];
  if (agent.sandbox)
    return [
      warning(
        about,
        `the settings enable one, but agent ${agent.name} itself runs in a sandbox and can't create another inside it`,
        "remove sandbox.enabled from the agent's settings",
      ),
    ];
  if (said === "on") return [ok(about, said)];
  return [problem(about, said, "do that, or remove sandbox.enabled from the agent's settings")];
}
