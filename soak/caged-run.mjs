import { spawnSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/** The time limit of one command, since some wait forever. */
const COMMAND_S = 2;
const SHELLS = new Set(["bash", "zsh", "sh", "dash"]);
/** Runs each argument from the third on in a separate shell. */
const EACH = `shell=$1; script=$2; shift 2
for one; do timeout -s KILL ${COMMAND_S} "$shell" -c "$script" "$shell" "$one"; done`;

/**
 * Runs commands one after another where they can damage only the copy; returns the paths of all programs that were started, except the
 * shells that this loop starts for the commands.
 *
 * @returns {string[]}
 */
export function run(commands, { base, place, shell, script, environment }) {
  const traces = join(base, "traces");
  rmSync(traces, { force: true });
  writeFileSync(traces, "");
  const space = ["--unshare-all", "--die-with-parent", "--new-session", "--uid", "65534", "--gid", "65534"];
  const mounts = [
    ...["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"],
    ...["--bind", place.temporary, "/tmp", "--bind", place.root, place.root],
    ...["--bind", traces, "/dev/shm/traces", "--chdir", place.cwd],
  ];
  const strace = [
    ...["strace", "-f", "-qq", "--seccomp-bpf", "-e", "trace=execve,execveat", "-e", "signal=none"],
    ...["-s", "4096", "-o", "/dev/shm/traces"],
  ];
  const { error, status } = spawnSync(
    "bwrap",
    [...space, ...mounts, ...strace, "sh", "-c", EACH, "sh", shell, script, ...commands],
    {
      stdio: "ignore",
      env: { PATH: process.env.PATH, HOME: "/tmp", ...environment },
      timeout: 30_000 + commands.length * COMMAND_S * 1000,
    },
  );
  if (error) throw new Error(`bwrap can't run commands here: ${error.message}`);
  const started = startedIn(readFileSync(traces, "utf8"));
  if (started.length < 1 + 2 * commands.length)
    throw new Error(
      `not everything was traced (exit ${status}): ${started.length} programs for ${commands.length} commands`,
    );
  return withoutOurs(started, shell, commands.length);
}

/** The paths of the programs in the order of their start. The trace of one may be split over two lines by another's. */
function startedIn(traces) {
  const open = new Map();
  return traces.split("\n").flatMap((line) => {
    const pid = line.split(" ", 1)[0];
    const path = /execve(?:at)?\([^"]*"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? open.get(pid);
    if (line.includes("<unfinished")) open.set(pid, path);
    else open.delete(pid);
    return path !== undefined && / = 0$/.test(line) ? [path] : [];
  });
}

function withoutOurs(started, shell, count) {
  const left = new Map([
    ["sh", 1],
    ["timeout", count],
    [shell, count],
  ]);
  return started.filter((path) => {
    const name = basename(path);
    const expected = left.get(name) ?? 0;
    left.set(name, expected - 1);
    return expected <= 0;
  });
}

/** Whether a program is a shell. */
export const isShell = (path) => SHELLS.has(basename(path));

/** All files of a place, with the properties that reveal a change. Folders next to the project are mount points and are left out. */
export function snapshot({ root, temporary }) {
  return [...entriesBelow(root), ...entriesBelow(temporary).filter(({ isFolder }) => !isFolder)]
    .map(({ text }) => text)
    .join("\n");
}

function entriesBelow(folder) {
  return readdirSync(folder, { recursive: true })
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const stats = lstatSync(path);
      // A folder's size is arbitrary and its time changes with its entries; a link's time can't be restored.
      const [size, ms] = stats.isFile() ? [stats.size, stats.mtimeMs] : [0, 0];
      const content = stats.isFile()
        ? readFileSync(path, "latin1")
        : stats.isSymbolicLink()
          ? readlinkSync(path)
          : "";
      return { isFolder: stats.isDirectory(), text: `${path} ${stats.mode} ${size} ${ms} ${content}` };
    });
}
