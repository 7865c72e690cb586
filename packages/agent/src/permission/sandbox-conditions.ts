import type { Sandbox } from "../sandbox/sandbox.ts";
import type { LocatedCall } from "./call.ts";
import type { SandboxConditions } from "./evaluation.ts";

/** What the sandbox means for a call; undefined where it is no shell command, or there is no sandbox. */
export function sandboxConditions(
  { toolName, input }: LocatedCall,
  sandbox: Sandbox | undefined,
): SandboxConditions | undefined {
  if (toolName !== "Bash" || !sandbox) return undefined;
  const wantsOut = input.dangerouslyDisableSandbox === true;
  const placement = sandbox.place(String(input.command ?? ""), wantsOut);
  const { autoAllowBashIfSandboxed: autoAllow, filesystem } = sandbox.settings;
  return placement === "off" ? undefined : { placement, autoAllow, closesFiles: !filesystem.disabled };
}
