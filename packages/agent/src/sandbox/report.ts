import type { SandboxSettings } from "./sandbox-settings.ts";

/** Whether commands run in a sandbox, in one line. */
export function sandboxState({ enabled }: SandboxSettings, problem: string | undefined): string {
  if (!enabled)
    return problem === undefined
      ? "off (it can be turned on: sandbox.enabled)"
      : `off, and not available: ${problem}`;
  return problem === undefined ? "on" : `enabled, but not available: ${problem}`;
}

/** Describes, for people, what the sandbox of a session allows commands to do. */
export function sandboxReport(
  settings: SandboxSettings,
  problem: string | undefined,
  roots: readonly string[],
): string {
  const state = `Sandbox: ${sandboxState(settings, problem)}`;
  if (!settings.enabled || problem !== undefined) return state;
  const { filesystem, network, excludedCommands } = settings;
  const list = (names: readonly string[]) => (names.length > 0 ? names.join(", ") : "none");
  return [
    state,
    `Commands inside: ${settings.autoAllowBashIfSandboxed ? "run without a question" : "are asked about as usual"}`,
    `Commands outside: ${settings.allowUnsandboxedCommands ? "with a question each" : "never"}; excluded: ${list(excludedCommands)}`,
    filesystem.disabled
      ? "Files: not limited (sandbox.filesystem.disabled)"
      : `Files: commands may write to ${list([...roots, ...filesystem.allowWrite])}, and can't read ${list(filesystem.denyRead)} and what Read rules deny`,
    `Network: ${list(network.allowedDomains)}; other hosts ${network.strictAllowlist ? "are refused" : "are asked about once"}`,
    `Hooks inside: ${settings.hooks}; MCP servers inside: ${settings.mcpServers}`,
  ].join("\n");
}
