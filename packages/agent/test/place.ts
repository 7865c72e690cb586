import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";

const MARK = "AGENTWIRE_TEST_MARK";

/** Where an agent runs: separate folders, and a mark that identifies every process it starts. */
export interface Place {
  readonly cwd: string;
  readonly configDir: string;
  readonly env: Readonly<Record<string, string>>;
  /** The ids and command lines of all processes with the mark, including the agent itself; or only those with these ids. */
  processes(ids?: readonly string[]): readonly string[];
  /** Resolves when a file of this name exists in the working folder. */
  file(name: string): Promise<void>;
}

/** Makes a place for the current test, with a trusted working folder by default; its files are removed after the test. */
export async function newPlace({ isTrusted = true } = {}): Promise<Place> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "agentwire-process-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const name of ["work", "home", "tmp"]) await mkdir(join(folder, name));
  const projects = { [join(folder, "work")]: { hasTrustDialogAccepted: true } };
  if (isTrusted)
    await writeFile(join(folder, "home", ".claude.json"), JSON.stringify({ projects }), { mode: 0o600 });
  return marked(folder);
}

/** The same place with another mark, to tell apart what different processes have started. */
export function remarked(place: Place): Place {
  return marked(dirname(place.cwd));
}

function marked(folder: string): Place {
  const [cwd, home, temporary] = [join(folder, "work"), join(folder, "home"), join(folder, "tmp")];
  const mark = randomUUID();
  return {
    cwd,
    configDir: join(home, ".claude"),
    env: { PATH: process.env.PATH ?? "", HOME: home, TMPDIR: temporary, [MARK]: mark },
    processes: (ids) => processesWith(`${MARK}=${mark}`, ids),
    async file(name) {
      while (!existsSync(join(cwd, name))) await delay(5);
    },
  };
}

/** Rejects unless every process of the place ends in time. */
export async function expectNothingLeft(place: Place, withinMs = 10_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  let left = place.processes();
  while (left.length > 0 && performance.now() < deadline) {
    await delay(50);
    // Looking at every process of the machine takes a hundred times as long as at these, and is only needed when they have ended.
    const known = place.processes(left.map((line) => line.slice(0, line.indexOf(" "))));
    left = known.length > 0 ? known : place.processes();
  }
  expect(left, "processes that outlived their agent").toEqual([]);
}

const allProcesses = () => readdirSync("/proc").filter((name) => /^\d+$/.test(name));

/**
 * All processes with this entry in their environment, as `pid command`; or only those with these ids. A zombie process has no
 * environment, so it is not found.
 */
export function processesWith(entry: string, ids: readonly string[] = allProcesses()): readonly string[] {
  return ids
    .filter((pid) => `${textOf(`/proc/${pid}/environ`)}\0`.includes(`${entry}\0`))
    .map((pid) => `${pid} ${textOf(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim()}`);
}

/** Reads a file of /proc synchronously, which is fast because it is generated in memory; empty if the process has ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
