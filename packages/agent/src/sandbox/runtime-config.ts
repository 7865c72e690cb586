import type { Guarded } from "@agentwire/local/sandbox";
import { closedAddresses } from "@agentwire/local/sandbox";
import type { SandboxRuntimeConfig } from "@anthropic-ai/sandbox-runtime";
import type { RuleLimits } from "./rule-limits.ts";
import type { SandboxSettings } from "./sandbox-settings.ts";

/** What a sandbox depends on besides the settings. */
export interface SandboxPlaces extends Guarded {
  /** The project folders that commands may change. */
  readonly roots: readonly string[];
  /** Where commands keep temporary files. */
  readonly temporary: string;
  /** The folder of the user's settings. */
  readonly configDir: string;
  readonly socat: string;
  readonly ripgrep: { readonly command: string; readonly args?: string[] } | undefined;
}

/** Combines settings, permission rules and paths into the runtime's configuration. */
export function runtimeConfig(
  { filesystem, network, ...settings }: SandboxSettings,
  limits: RuleLimits,
  { roots, repositories, paths, temporary, configDir, ripgrep, socat }: SandboxPlaces,
): SandboxRuntimeConfig {
  const { httpProxyPort, socksProxyPort, tlsTerminate } = network;
  return {
    network: {
      allowedDomains: [...network.allowedDomains, ...limits.allowedDomains],
      deniedDomains: [...network.deniedDomains, ...limits.deniedDomains],
      strictAllowlist: network.strictAllowlist,
      deniedResolvedAddresses: [...closedAddresses()],
      allowUnixSockets: [...network.allowUnixSockets],
      allowAllUnixSockets: network.allowAllUnixSockets,
      allowLocalBinding: network.allowLocalBinding,
      allowMachLookup: [...network.allowMachLookup],
      ...(httpProxyPort !== undefined && { httpProxyPort }),
      ...(socksProxyPort !== undefined && { socksProxyPort }),
      ...(tlsTerminate && { tlsTerminate }),
    },
    filesystem: {
      disabled: filesystem.disabled,
      denyRead: [...filesystem.denyRead, ...limits.denyRead],
      allowRead: [...filesystem.allowRead],
      allowWrite: [...roots, ...repositories, temporary, ...filesystem.allowWrite, ...limits.allowWrite],
      denyWrite: [...paths, configDir, ...filesystem.denyWrite, ...limits.denyWrite],
    },
    ...(settings.credentials && { credentials: settings.credentials as SandboxRuntimeConfig["credentials"] }),
    ...(settings.ignoreViolations && {
      ignoreViolations: settings.ignoreViolations as SandboxRuntimeConfig["ignoreViolations"],
    }),
    enableWeakerNestedSandbox: settings.enableWeakerNestedSandbox,
    enableWeakerNetworkIsolation: settings.enableWeakerNetworkIsolation,
    allowAppleEvents: settings.allowAppleEvents,
    ...(ripgrep && { ripgrep }),
    ...(settings.bwrapPath !== undefined && { bwrapPath: settings.bwrapPath }),
    socatPath: socat,
  };
}
