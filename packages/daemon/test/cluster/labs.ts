import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { PLACE_FOR_STORES } from "../../../../test/place-for-stores.ts";
import { type DaemonConfig, defaultConfig } from "../../src/config.ts";
import { Lab, TINY_AGENT } from "../chaos/lab.ts";
import type { Daemons } from "../chaos/witness.ts";

const WRONG_CLOCK = new URL("./wrong-clock.mjs", import.meta.url).href;
const DAY_MS = 86_400_000;

/** Daemons on one database; clients use any that is up. */
export class Labs implements Daemons {
  readonly folder = mkdtempSync(join(PLACE_FOR_STORES, "agentwire-cluster-"));
  readonly all: readonly Lab[];
  readonly #random: () => number;
  readonly #down = new Set<Lab>();

  constructor(
    names: readonly string[],
    storeUrl: string,
    random: () => number = Math.random,
    changes: Partial<DaemonConfig> = {},
  ) {
    this.#random = random;
    this.all = names.map(
      (name, at) =>
        new Lab(
          {
            storeUrl,
            agents: [TINY_AGENT],
            spareProcesses: 0,
            maxProcesses: 6,
            trustedFolders: [this.folder],
            cluster: { ...defaultConfig({}, "/").cluster, name, sharedFolders: [this.folder] },
            ...changes,
          },
          this.folder,
          // One clock is right, one is a day ahead, one a day behind.
          {
            NODE_OPTIONS: `--import=${WRONG_CLOCK}`,
            CLOCK_SHIFT_MS: String(([0, 1, -1][at % 3] as number) * DAY_MS),
          },
        ),
    );
  }

  get sessions(): Lab["sessions"] {
    return this.#any.sessions;
  }

  get questions(): Lab["questions"] {
    return this.#any.questions;
  }

  get up(): Promise<void> {
    return Promise.resolve();
  }

  get #any(): Lab {
    return this.pick(this.all.filter((lab) => !this.#down.has(lab)));
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)] as T;
  }

  async start(): Promise<void> {
    await Promise.all(this.all.map((lab) => lab.start()));
  }

  async kill(lab: Lab): Promise<void> {
    this.#down.add(lab);
    await lab.kill("SIGKILL");
  }

  /** Restarts the killed daemons. */
  async revive(): Promise<void> {
    await Promise.all([...this.#down].map((lab) => lab.start()));
    this.#down.clear();
  }

  /** Stops all as an operator would; resolves with the agents that are left. */
  async stop(): Promise<readonly number[]> {
    await Promise.all(this.all.map((lab) => lab.kill("SIGTERM")));
    const left = () => (this.all[0] as Lab).agents();
    for (let i = 0; i < 100 && left().length > 0; i++) await delay(100);
    return left();
  }

  async end(): Promise<void> {
    for (const lab of this.all) await lab.end();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Prompts that agents started more than once. */
  get ranTwice(): readonly string[] {
    const begun = readdirSync(this.folder)
      .filter((name) => name.endsWith(".conversation"))
      .flatMap((name) => readFileSync(join(this.folder, name), "utf8").split("\n"))
      .filter((line) => line !== "");
    return begun.filter((line, at) => begun.indexOf(line) !== at);
  }
}

/** Freezes a daemon for a while, like a machine that hangs. */
export async function freeze({ pid }: Lab, ms: number): Promise<void> {
  if (pid === undefined) return;
  process.kill(pid, "SIGSTOP");
  try {
    await delay(ms);
  } finally {
    process.kill(pid, "SIGCONT");
  }
}
