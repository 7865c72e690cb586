import { type Event, EventSchema } from "@agentwire/api";
import { toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { Lab, randomFrom, TINY_AGENT } from "../chaos/lab.ts";
import { type RawWatcher, watchRaw } from "../e2e/raw-watcher.ts";
import { holesIn } from "../holes.ts";

const SESSIONS = 10;
const CLIENTS = 100;
const SEED = Number(process.env.AGENTWIRE_CHAOS_SEED) || Date.now() % 1_000_000;

const isFinished = ({ body }: Event) => !body.case?.endsWith("Delta");
const bytesOf = (event: Event) => Buffer.from(toBinary(EventSchema, event)).toString("base64");

/** Watches a session over a series of connections; each is closed, mid-stream, after a random number of responses. */
class Restless {
  readonly sessionId: string;
  readonly log: Event[] = [];
  readonly #socketPath: string;
  readonly #random: () => number;
  #watcher: RawWatcher;
  #waiting: { readonly seq: bigint; readonly resolve: () => void } | undefined;
  connections = 0;

  constructor(socketPath: string, sessionId: string, random: () => number) {
    this.#socketPath = socketPath;
    this.sessionId = sessionId;
    this.#random = random;
    this.#watcher = this.#connect();
  }

  /** Resolves when everything up to a number has arrived. */
  async upTo(seq: bigint): Promise<void> {
    if ((this.log.at(-1)?.seq ?? 0n) >= seq) return;
    await new Promise<void>((resolve) => {
      this.#waiting = { seq, resolve };
    });
  }

  leave(): void {
    this.#watcher.leave();
  }

  #connect(): RawWatcher {
    this.connections++;
    let left = 1 + Math.floor(this.#random() * 4);
    const watcher = watchRaw(this.#socketPath, this.sessionId, this.log.at(-1)?.seq ?? 0n, ({ events }) => {
      if (left === 0) return;
      this.log.push(...events);
      if (this.#waiting && (this.log.at(-1)?.seq ?? 0n) >= this.#waiting.seq) this.#waiting.resolve();
      if (--left > 0) return;
      watcher.leave();
      this.#watcher = this.#connect();
    });
    return watcher;
  }
}

test("a hundred clients that disconnect at random, on ten sessions, all receive the stored log", async () => {
  const random = randomFrom(SEED);
  const lab = new Lab({ agents: [TINY_AGENT], spareProcesses: 0, maxProcesses: SESSIONS });
  try {
    await lab.start();
    const ids: string[] = [];
    for (let i = 0; i < SESSIONS; i++) ids.push((await lab.sessions.createSession({})).session?.id ?? "");
    const clients = Array.from(
      { length: CLIENTS },
      (_, i) => new Restless(lab.socketPath, ids[i % SESSIONS] ?? "", random),
    );
    await Promise.all(
      ids.flatMap((sessionId) =>
        [30, 5, 60].map((words) => lab.sessions.sendPrompt({ sessionId, text: `talk ${words}` })),
      ),
    );
    for (const id of ids) await lab.idle(id);
    for (const sessionId of ids) {
      const { events, more } = await lab.sessions.listEvents({ sessionId, pageSize: 1000 });
      expect(more).toBe(false);
      const stored = events.filter(isFinished).map(bytesOf);
      expect(stored.length, "what is stored of three turns").toBeGreaterThan(15);
      for (const client of clients.filter((one) => one.sessionId === sessionId)) {
        await client.upTo(events.at(-1)?.seq ?? 0n);
        expect(client.log.filter(isFinished).map(bytesOf), `seed ${SEED}`).toEqual(stored);
        expect(holesIn(client.log), `seed ${SEED}`).toEqual([]);
      }
    }
    expect(clients.reduce((sum, { connections }) => sum + connections, 0)).toBeGreaterThan(2 * CLIENTS);
    for (const client of clients) client.leave();
    expect(await lab.kill("SIGTERM"), "how the daemon ended").toBe(0);
  } finally {
    await lab.end();
  }
}, 120_000);
