import { randomUUID } from "node:crypto";
import type { SandboxRuntimeConfig } from "@anthropic-ai/sandbox-runtime";

/** Whether a command may connect to a host. */
export type AskForHost = (host: string, port: number | undefined) => Promise<boolean>;

/** A script in a sandbox. */
export interface Wrapped {
  /** The command line, for `sh`. */
  readonly line: string;
  /** What it was denied so far, a line for each. */
  violations(): readonly string[];
}

/** The vendor's runtime: its proxies are started once, and then it puts one command after another into a sandbox. */
export interface Runtime {
  /** A way to run a script in a sandbox; each has to be followed by one `release`. */
  wrap(script: string, config: SandboxRuntimeConfig): Promise<Wrapped>;
  /** What was wrapped has ended, or will never run. */
  release(): void;
}

/** One process has one set of proxies, however many sessions it serves: the one that ran a command last is asked. */
let runtime: Promise<Runtime> | undefined;
let askLast: AskForHost = async () => false;

/** Who still needs it. */
const users = new Set<object>();

/** The runtime of this process, started with the first call, for a user that lets go of it in the end. */
export function startRuntime(user: object, config: SandboxRuntimeConfig, ask: AskForHost): Promise<Runtime> {
  users.add(user);
  askLast = ask;
  runtime ??= start(config).catch((error: unknown) => {
    // The next command tries again.
    runtime = undefined;
    throw error;
  });
  return runtime;
}

/** Lets go of the runtime; the last user ends its proxies. */
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
      // All have the same script, so what one is denied is told from the others by a name.
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
