import { execFile } from "node:child_process";
import { onPath } from "@agentwire/local/files";

type Environment = Readonly<Record<string, string | undefined>>;

/** The programs that a sandbox requires, with the Debian packages that contain them. */
const PACKAGES = { bwrap: "bubblewrap", socat: "socat", bash: "bash", prlimit: "util-linux" } as const;
const PROBE_MS = 10_000;

/** The path of each program. */
export type SandboxPrograms = Readonly<Record<keyof typeof PACKAGES, string>>;

/** The programs; or the reason why sandboxes are not available here, with the command that fixes it. */
export async function sandboxPrograms(env: Environment): Promise<SandboxPrograms | string> {
  if (process.platform !== "linux") return "sandboxes are available only on Linux";
  const names = Object.keys(PACKAGES) as (keyof typeof PACKAGES)[];
  const found = Object.fromEntries(names.map((name) => [name, onPath(name, env) ?? ""]));
  const missing = names.filter((name) => found[name] === "");
  if (missing.length > 0)
    return `${missing.join(", ")} ${missing.length > 1 ? "are" : "is"} missing; on Debian and Ubuntu install with: apt-get install ${missing.map((name) => PACKAGES[name]).join(" ")}`;
  const programs = found as SandboxPrograms;
  return (await probe(programs.bwrap)) ?? programs;
}

/** Creates an empty sandbox, the only way to find out whether the system allows one. */
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
            ? `bwrap can't create a sandbox: ${stderr.trim() || error.message}; it needs bubblewrap 0.8 and a system that lets users create namespaces (on Ubuntu: sysctl kernel.apparmor_restrict_unprivileged_userns=0)`
            : undefined,
        ),
    );
  });
}
