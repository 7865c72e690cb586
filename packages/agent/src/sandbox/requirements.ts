import { spawn } from "node:child_process";
import { isProgram, onPath } from "@agentwire/local/files";
import { ownRipgrep } from "../files/own-ripgrep.ts";
import type { SandboxSettings } from "./sandbox-settings.ts";

/** The deadline for the first sandbox. */
const PROBE_MS = 10_000;
const RUNTIME = "@anthropic-ai/sandbox-runtime";

/** The programs that must be on PATH, with their Debian packages. */
const PROGRAMS = [
  { name: "bwrap", package: "bubblewrap", setting: "bwrapPath" },
  { name: "socat", package: "socat", setting: "socatPath" },
] as const;

/** The programs that must be installed, and the ripgrep for the runtime. */
export interface Requirements {
  readonly settings: Pick<
    SandboxSettings,
    "bwrapPath" | "socatPath" | "ripgrep" | "enableWeakerNestedSandbox" | "allowNestedUserNamespaces"
  >;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Why commands can't run in a sandbox here, with the command that solves it; undefined if they can. */
export async function sandboxProblem({ settings, env }: Requirements): Promise<string | undefined> {
  if (process.platform === "darwin") return missingRuntime();
  if (process.platform !== "linux") return `sandboxes are not supported on ${process.platform}`;
  const missing: { readonly name: string; readonly package: string }[] = [];
  for (const program of PROGRAMS) {
    const given = settings[program.setting];
    if (given !== undefined && !isProgram(given))
      return `${given}, which the setting sandbox.${program.setting} names, can't be run`;
    if (given === undefined && onPath(program.name, env) === undefined) missing.push(program);
  }
  if (ripgrepFor(settings, env) === undefined) missing.push({ name: "rg", package: "ripgrep" });
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(", ");
    const packages = missing.map((one) => one.package).join(" ");
    return `${names} ${missing.length > 1 ? "are" : "is"} missing; on Debian and Ubuntu install with: apt-get install ${packages}`;
  }
  return (await missingRuntime()) ?? probe(settings, env);
}

/** The ripgrep for the runtime: the one from the settings, the one installed with the agent, or the one on PATH. */
export function ripgrepFor(
  { ripgrep }: Pick<SandboxSettings, "ripgrep">,
  env: Requirements["env"],
): { readonly command: string; readonly args?: string[] } | undefined {
  if (typeof ripgrep?.command === "string")
    return {
      command: ripgrep.command,
      ...(Array.isArray(ripgrep.args) && { args: ripgrep.args.map(String) }),
    };
  const own = ownRipgrep();
  if (own !== undefined && isProgram(own)) return { command: own };
  return onPath("rg", env) ? { command: "rg" } : undefined;
}

async function missingRuntime(): Promise<string | undefined> {
  try {
    await import("@anthropic-ai/sandbox-runtime");
    return undefined;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return `the package ${RUNTIME} can't be loaded (${reason}); install it with: npm install ${RUNTIME}`;
  }
}

/** Starts an empty sandbox: there is no other way to tell whether the system permits one. */
async function probe(
  settings: Requirements["settings"],
  env: Requirements["env"],
): Promise<string | undefined> {
  const args = [
    "--unshare-user",
    "--unshare-net",
    "--unshare-pid",
    ...(settings.allowNestedUserNamespaces ? [] : ["--disable-userns"]),
    ...["--ro-bind", "/", "/", "--dev", "/dev"],
    ...(settings.enableWeakerNestedSandbox ? [] : ["--proc", "/proc"]),
    "true",
  ];
  const child = spawn(settings.bwrapPath ?? "bwrap", args, {
    env: { ...env },
    stdio: ["ignore", "ignore", "pipe"],
    timeout: PROBE_MS,
    killSignal: "SIGKILL",
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = `${said}${text}`.slice(0, 1000);
  });
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("close", resolve);
  });
  return code === 0 ? undefined : explain(said.trim());
}

function explain(said: string): string {
  const told = said === "" ? "bwrap did not answer" : said;
  if (/disable-userns/.test(said))
    return `bwrap is too old (${told}): version 0.8 or later is needed, as in Debian 12 and Ubuntu 24.04`;
  if (/proc/.test(said))
    return `bwrap can't mount /proc here (${told}); in a container without that right set sandbox.enableWeakerNestedSandbox, which lets commands see the processes of the container`;
  return `bwrap can't make a sandbox here (${told}); the system has to allow user namespaces: sysctl kernel.unprivileged_userns_clone=1, and on Ubuntu sysctl kernel.apparmor_restrict_unprivileged_userns=0`;
}
