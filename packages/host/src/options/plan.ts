import { supports, type Version } from "@agentwire/protocol/compatibility";
import { splitServers } from "../hosted/hosted-servers.ts";
import type { Options } from "../sdk/options.ts";
import { type Argument, argvOf } from "./argv.ts";
import type { Environment } from "./environment.ts";
import { type Initialize, type InitializeContext, initializeOf } from "./initialize.ts";
import { deliverPrompts } from "./prompt-delivery.ts";
import { requireFlags, requireInitialize, requirePrompts, requireVariables } from "./version-gates.ts";

/** How a session is started: what stands on the command line, and what `initialize` says. */
export interface Plan {
  readonly argv: readonly Argument[];
  /** Undefined for an agent that takes nothing but prompts. */
  readonly initialize: Initialize | undefined;
  readonly managedSettingsInInitialize: boolean;
}

/** Managed settings beyond this length go by `initialize`: a command line has no room for them. */
const MAX_MANAGED_CHARS = 24_576;

/** Plans a session with an agent of this version; throws for the first option that it can't honour. */
export function planSession(
  options: Options,
  env: Environment,
  hosting: Pick<InitializeContext, "hooks" | "servers">,
  version: Version | undefined,
): Plan {
  const managedSettingsInInitialize = isLong(options.managedSettings);
  const wanted = initializeOf(options, { ...hosting, managedSettingsInInitialize });
  requireInitialize(wanted, version);
  requireVariables(env, version);
  requirePrompts(options, version);
  const { initialize, flags } = deliverPrompts(wanted, version);
  const plugins = options.pluginDelivery === "initialize" ? (options.plugins ?? []) : [];
  const argv = argvOf(options, {
    processServers: splitServers(options.mcpServers).others,
    awaitInitialize: plugins.length > 0 || managedSettingsInInitialize,
    managedSettingsInInitialize,
    promptFlags: flags,
  });
  requireFlags(
    argv.map((arg) => (typeof arg === "string" ? arg : arg.flag)),
    version,
  );
  const controls = supports(version, undefined, "control_requests");
  return { argv, initialize: controls ? initialize : undefined, managedSettingsInInitialize };
}

function isLong(settings: Options["managedSettings"]): boolean {
  return settings !== undefined && JSON.stringify(settings).length > MAX_MANAGED_CHARS;
}
