import { dirname, join } from "node:path";
import { projectKey } from "@agentwire/local/transcript";
import type { Config } from "../config/config.ts";
import { outputFolder } from "../files/output-folder.ts";
import type { Gate } from "../permission/gate.ts";
import { sandboxProblem } from "../sandbox/requirements.ts";
import { Sandbox } from "../sandbox/sandbox.ts";
import { sandboxSettings } from "../sandbox/sandbox-settings.ts";
import type { Settings } from "../settings/settings.ts";
import type { StartupError } from "./session-settings.ts";

/** What the sandbox of a session is created from. */
interface SandboxSources {
  readonly config: Config;
  readonly settings: Settings;
  /** The name of the session's folder for outputs. */
  readonly folderName: string;
  readonly gate: () => Gate;
}

/** Creates the sandbox of a session; its implementation is loaded when the settings enable it. */
export function sessionSandbox({ config, settings, folderName, gate }: SandboxSources): Sandbox {
  const { cwd, home, configDir, env, temporaryFolder, sharesProcess } = config;
  const outputs = outputFolder(temporaryFolder, projectKey(cwd), folderName);
  return new Sandbox({
    settings,
    cwd,
    home,
    configDir,
    env,
    sharesProcess,
    folder: join(dirname(outputs), "sandbox"),
    rules: () => gate().rules,
    ask: (host) => gate().allowsHost(host),
  });
}

/** Warns before anything runs if the settings want a sandbox that is unavailable; refuses to start if they require it. */
export async function checkSandbox(
  { env, home }: Config,
  settings: Settings,
  complain: (text: string) => void,
): Promise<StartupError | undefined> {
  const wanted = sandboxSettings(settings, home);
  if (!wanted.enabled) return undefined;
  const problem = await sandboxProblem({ settings: wanted, env });
  if (problem === undefined) return undefined;
  if (wanted.failIfUnavailable)
    return {
      kind: "refused",
      reason: `The settings require a sandbox (sandbox.failIfUnavailable), but none is available: ${problem}.`,
      code: "sandbox_required_unavailable",
    };
  complain(`agentwire-agent: no sandbox is available, so commands run without one: ${problem}\n`);
  return undefined;
}
