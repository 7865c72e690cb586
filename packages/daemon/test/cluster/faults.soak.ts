import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { PLACE_FOR_STORES } from "../../../../test/place-for-stores.ts";
import { defaultConfig } from "../../src/config.ts";
import { Lab, randomFrom, TINY_AGENT } from "../chaos/lab.ts";
import { type Daemons, Witness } from "../chaos/witness.ts";
import { newDatabase, run } from "../postgres/database.ts";

const SEED = Number(process.env.AGENTWIRE_CHAOS_SEED) || Date.now() % 1_000_000;
const LIMIT_MS = 600_000;
const FAULT_COUNT = 200;
const PROMPTS = ["talk 3", "talk 12", "ask 2", "ask 0"];

/** Three daemons on one database, of which clients take whichever is there. */
class Nodes implements Daemons {
  readonly folder = mkdtempSync(join(PLACE_FOR_STORES, "agentwire-cluster-"));
  readonly labs: readonly Lab[];
  readonly #random: () => number;
  readonly #down = new Set<Lab>();

  constructor(storeUrl: string, random: () => number) {
    this.#random = random;
    this.labs = ["one", "two", "three"].map(
      (name) =>
        new Lab(
          {
            storeUrl,
            agents: [TINY_AGENT],
            spareProcesses: 0,
            maxProcesses: 6,
            trustedFolders: [this.folder],
            cluster: { ...defaultConfig({}, "/").cluster, name, sharedFolders: [this.folder] },
          },
          this.folder,
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
    return this.pick(this.labs.filter((lab) => !this.#down.has(lab)));
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)] as T;
  }

  async kill(lab: Lab): Promise<void> {
    this.#down.add(lab);
    await lab.kill("SIGKILL");
  }

  /** Starts those again that were killed. */
  async revive(): Promise<void> {
    for (const lab of this.#down) await lab.start();
    this.#down.clear();
  }

  async noAgents(): Promise<readonly number[]> {
    const daemons = this.labs.map(({ pid }) => pid);
    const left = () => (this.labs[0] as Lab).agents().filter((pid) => !daemons.includes(pid));
    for (let i = 0; i < 100 && left().length > 0; i++) await delay(100);
    return left();
  }
}

type Fault = (nodes: Nodes, storeUrl: string, random: () => number) => Promise<void>;

const cut = (storeUrl: string) =>
  run(
    storeUrl,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );

const FAULTS: Readonly<Record<string, Fault>> = {
  async killed(nodes) {
    await nodes.revive();
    await nodes.kill(nodes.pick(nodes.labs));
  },
  async stopped(nodes, _, random) {
    await nodes.revive();
    await freeze(nodes.pick(nodes.labs), random() * 1500);
  },
  async "cut off"(_, storeUrl) {
    await cut(storeUrl);
  },
  async "without the server"(_, storeUrl, random) {
    const name = new URL(storeUrl).pathname.slice(1);
    const server = storeUrl.replace(`/${name}?`, "/postgres?");
    await run(server, `ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
    await run(server, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
    await delay(random() * 800);
    await run(server, `ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`);
  },
};

/** Stops a process for a while, as a machine that hangs. */
async function freeze({ pid }: Lab, ms: number): Promise<void> {
  if (pid === undefined) return;
  process.kill(pid, "SIGSTOP");
  try {
    await delay(ms);
  } finally {
    process.kill(pid, "SIGCONT");
  }
}

test(
  "three nodes lose nothing, and do nothing twice, though they are killed, stopped and cut off at random",
  async () => {
    const storeUrl = await newDatabase();
    const random = randomFrom(SEED);
    const nodes = new Nodes(storeUrl, random);
    try {
      await Promise.all(nodes.labs.map((lab) => lab.start()));
      const witnesses = await Promise.all(
        [1, 2, 3].map(async () => {
          const { session } = await nodes.sessions.createSession({ cwd: nodes.folder });
          return new Witness(nodes, session?.id ?? "");
        }),
      );
      const sending: Promise<void>[] = [];
      const send = (key: string) => sending.push(nodes.pick(witnesses).send(key, nodes.pick(PROMPTS)));
      for (let at = 0; at < FAULT_COUNT; at++) {
        for (const part of ["a", "b"]) send(`${at}-${part}`);
        await delay(random() * 200);
        await nodes.pick(Object.values(FAULTS))(nodes, storeUrl, random);
      }
      await nodes.revive();
      // One hangs for longer than its lease, while it has something to do.
      const [hanging] = nodes.labs as [Lab];
      send("before");
      await freeze(hanging, 11_000);
      send("after");
      await Promise.all(sending);
      for (const witness of witnesses) await witness.send("last", "talk 1");
      let retries = 0;
      for (const witness of witnesses)
        await idle(nodes, witness.sessionId, () => witness.send(`retry-${retries++}`, "talk 1"));
      const verdicts = await Promise.all(witnesses.map((witness) => witness.verdict()));
      expect(verdicts.flat(), `seed ${SEED}`).toEqual([]);
      await Promise.all(witnesses.map((witness) => witness.leave()));
      expect(ranTwice(nodes.folder), `prompts that ran twice, seed ${SEED}`).toEqual([]);
      const [{ n } = {}] = await run(
        storeUrl,
        "SELECT count(*)::int AS n FROM questions WHERE disposition = 1",
      );
      expect(n, `questions without an end, seed ${SEED}`).toBe(0);
      await Promise.all(nodes.labs.map((lab) => lab.kill("SIGTERM")));
      expect(await nodes.noAgents(), `agents that are left, seed ${SEED}`).toEqual([]);
    } finally {
      for (const lab of nodes.labs) await lab.end();
      rmSync(nodes.folder, { recursive: true, force: true });
    }
  },
  LIMIT_MS,
);

/** The labs themselves can't wait for a session that another node has by now. */
async function idle(nodes: Nodes, sessionId: string, onFailed: () => Promise<void>): Promise<void> {
  const lab = nodes.pick(nodes.labs);
  await lab.idle(sessionId, onFailed);
}

/** Prompts that an agent has begun with more than once. */
function ranTwice(folder: string): readonly string[] {
  const begun = readdirSync(folder)
    .filter((name) => name.endsWith(".conversation"))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
    .filter((line) => line !== "");
  return begun.filter((line, at) => begun.indexOf(line) !== at);
}
