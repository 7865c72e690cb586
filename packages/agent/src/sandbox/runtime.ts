import { randomUUID } from "node:crypto";
import type { SandboxRuntimeConfig } from "@anthropic-ai/sandbox-runtime";

/** Whether a command may connect to a host. */
export type AskForHost = (host: string, port: number | undefined) => Promise<boolean>;

/** A script wrapped in a sandbox. */
export interface Wrapped {
  /** The command line, for `sh`. */
  readonly line: string;
  /** The accesses that it was denied so far, one line each. */
  violations(): readonly string[];
}

/** The vendor's runtime: it starts its proxies once, and then wraps commands in sandboxes one by one. */
export interface Runtime {
  /** Wraps a script in a sandbox; each call must be followed by one `release`. */
  wrap(script: string, config: SandboxRuntimeConfig): Promise<Wrapped>;
  /** Called when a wrapped script has ended, or will never run. */
  release(): void;
}

/**
 * A process has only one set of proxies, however many sessions it serves: connections are decided by the session that ran a
 * command last.
 */
let runtime: Promise<Runtime> | undefined;
let askLast: AskForHost = async () => false;

/** The users that still need the runtime. */
const users = new Set<object>();

/** The runtime of this process, started on the first call; the user must release it with `stopRuntime`. */
export function startRuntime(user: object, config: SandboxRuntimeConfig, ask: AskForHost): Promise<Runtime> {
  users.add(user);
  askLast = ask;
  runtime ??= start(config).catch((error: unknown) => {
    // Let the next command try again.
    runtime = undefined;
    throw error;
  });
  return runtime;
}

/** Releases the runtime; the last user to do so ends its proxies. */
export async function stopRuntime(user: object): Promise<void> {
  users.delete(user);
  if (!runtime || users.size > 0) return;
  const { SandboxManager } = await import("@anthropic-ai/sandbox-runtime");
  await runtime.catch(() => {});
  runtime = undefined;
  await SandboxManager.reset();
}

async function start(first: SandboxRuntimeConfig): Promise<Runtime> {
  const { SandboxManager, SandboxRuntimeConfigSchema } = await import("@anthropic-ai/sandbox-runtime");
  const check = (config: SandboxRuntimeConfig) => {
    const { success, error } = SandboxRuntimeConfigSchema.safeParse(config);
    if (success) return;
    const [issue] = error.issues;
    throw new Error(`the setting sandbox.${issue?.path.join(".")}: ${issue?.message}`);
  };
  check(first);
  await SandboxManager.initialize(first, ({ host, port }) => askLast(host, port));
  let current = first;
  return {
    async wrap(script, config) {
      if (config !== current) {
        check(config);
        SandboxManager.updateConfig(config);
        current = config;
      }
      // All commands have the same script, so an id tells their violations apart.
      const commandId = randomUUID();
      return {
        line: await SandboxManager.wrapWithSandbox(script, "sh", undefined, undefined, { commandId }),
        violations: () => {
          const denied = SandboxManager.getSandboxViolationStore().getViolationsForCommand(commandId);
          return [...new Set(denied.map(({ line }) => line))];
        },
      };
    },
    release: () => SandboxManager.cleanupAfterCommand(),
  };
}
