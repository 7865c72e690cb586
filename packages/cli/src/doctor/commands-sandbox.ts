import { execFile } from "node:child_process";
import type { AgentConfig } from "@agentwire/daemon";
import type { Io } from "../io.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

const ASK_MS = 20_000;

/** What our agent says of the sandbox around its commands in this folder; nothing if it says nothing. */
export async function examineCommandsSandbox(
  program: string,
  agent: AgentConfig,
  { env, cwd }: Io,
): Promise<readonly Finding[]> {
  const printed = await new Promise<string>((resolve) => {
    const options = { cwd, env: { ...env, ...agent.env }, timeout: ASK_MS };
    // Its exit code is about everything that it looks at.
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
        "take sandbox.enabled out of the agent's settings",
      ),
    ];
  if (said === "on") return [ok(about, said)];
  return [problem(about, said, "do that, or take sandbox.enabled out of the agent's settings")];
}
