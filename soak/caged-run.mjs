import { spawnSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/** Runs a command where it can harm nothing but the copy; returns the names of the programs that it started. */
export function run(command, { base, project, environment }) {
  const traces = join(base, "traces");
  rmSync(traces, { force: true });
  writeFileSync(traces, "");
  const inside = [
    "strace",
    "-f",
    "-qq",
    "-e",
    "trace=execve",
    "-e",
    "signal=none",
    "-o",
    "/dev/shm/traces",
    "bash",
    "-c",
    command,
  ];
  const space = [
    "--unshare-all",
    "--die-with-parent",
    "--new-session",
    "--uid",
    "65534",
    "--gid",
    "65534",
    "--ro-bind",
    "/",
    "/",
  ];
  const mounts = [
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    "--tmpfs",
    "/tmp",
    "--bind",
    project,
    project,
    "--bind",
    traces,
    "/dev/shm/traces",
  ];
  const { error, status } = spawnSync(
    "bwrap",
    [...space, ...mounts, "--chdir", project, "timeout", "-s", "KILL", "3", ...inside],
    {
      input: "",
      stdio: ["pipe", "ignore", "ignore"],
      env: { PATH: process.env.PATH, HOME: "/tmp", ...environment },
      timeout: 20_000,
    },
  );
  if (error) throw new Error(`bwrap can't run commands here: ${error.message}`);
  const lines = readFileSync(traces, "utf8").split("\n");
  if (!lines.some((line) => line.includes("execve(")))
    throw new Error(`nothing was traced (exit ${status}): ${command}`);
  return lines
    .flatMap((line) => (/ = 0$/.test(line) ? [/execve\("([^"]*)"/.exec(line)?.[1] ?? ""] : []))
    .filter(Boolean)
    .map((path) => basename(path));
}

/** Every file below a folder with what tells whether it was changed. */
export function snapshot(folder) {
  return readdirSync(folder, { recursive: true })
    .sort()
    .map((name) => {
      const stats = lstatSync(join(folder, name));
      // The size of a folder says nothing, and its time changes with what is made and removed in it.
      const [size, ms] = stats.isDirectory() ? [0, 0] : [stats.size, stats.mtimeMs];
      const text = stats.isFile() ? readFileSync(join(folder, name), "latin1") : "";
      return `${name} ${stats.mode} ${size} ${ms} ${text}`;
    })
    .join("\n");
}
