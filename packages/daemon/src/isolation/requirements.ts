import { execFile } from "node:child_process";
import { onPath } from "@agentwire/local/files";

type Environment = Readonly<Record<string, string | undefined>>;

/** The programs that a sandbox is made with, and the Debian packages that bring them. */
const PACKAGES = { bwrap: "bubblewrap", socat: "socat", bash: "bash", prlimit: "util-linux" } as const;
const PROBE_MS = 10_000;

/** Where each of them is. */
export type SandboxPrograms = Readonly<Record<keyof typeof PACKAGES, string>>;

/** The programs, or why an agent can't be put into a sandbox here, with the command that changes it. */
export async function sandboxPrograms(env: Environment): Promise<SandboxPrograms | string> {
  if (process.platform !== "linux") return `agents can be put into a sandbox on Linux only`;
  const names = Object.keys(PACKAGES) as (keyof typeof PACKAGES)[];
  const found = Object.fromEntries(names.map((name) => [name, onPath(name, env) ?? ""]));
  const missing = names.filter((name) => found[name] === "");
  if (missing.length > 0)
    return `${missing.join(", ")} ${missing.length > 1 ? "are" : "is"} missing; on Debian and Ubuntu install with: apt-get install ${missing.map((name) => PACKAGES[name]).join(" ")}`;
  const programs = found as SandboxPrograms;
  return (await probe(programs.bwrap)) ?? programs;
}

/** Makes an empty sandbox: whether the system allows one can't be told in any other way. */
function probe(bwrap: string): Promise<string | undefined> {
  const args = ["--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL"];
  return new Promise((resolve) => {
    execFile(
      bwrap,
      [...args, "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "true"],
      { env: {}, timeout: PROBE_MS },
      (error, _, stderr) =>
        resolve(
          error
            ? `bwrap can't make a sandbox: ${stderr.trim() || error.message}; it needs bubblewrap 0.8 and a system that lets users make namespaces (on Ubuntu: sysctl kernel.apparmor_restrict_unprivileged_userns=0)`
            : undefined,
        ),
    );
  });
}
