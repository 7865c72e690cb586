import { fileURLToPath } from "node:url";
import type { WatchResponse } from "@agentwire/api";
import { expect, test, vi } from "vitest";
import { openBench, type Talk } from "./daemon-bench.ts";
import { type RawWatcher, watchRaw } from "./raw-watcher.ts";

/** Answers {"lines": n, "perSecond": n} with that many deltas. */
const FLOOD = {
  name: "flood",
  path: fileURLToPath(new URL("../../../../bench/daemon/flood-agent.mjs", import.meta.url)),
};

/** A client that watches a session until its turn ends, and may disconnect and reconnect in between. */
class Follower {
  readonly seen: bigint[] = [];
  readonly notices: string[] = [];
  readonly finished: Promise<void>;
  readonly #reconnect: () => RawWatcher;
  #watcher: RawWatcher;
  #isFinished = false;
  #finish = () => {};

  /** `leaves`: the counts of events after which it disconnects and reconnects. */
  constructor(socketPath: string, sessionId: string, leaves: readonly number[] = []) {
    const left = [...leaves];
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.#reconnect = () => {
      let isHere = true;
      const watcher = watchRaw(socketPath, sessionId, this.seen.at(-1) ?? 0n, (response) => {
        if (!isHere) return;
        this.#take(response);
        if (this.#isFinished || left.length === 0 || this.seen.length < (left[0] ?? 0)) return;
        left.shift();
        isHere = false;
        watcher.leave();
        this.#watcher = this.#reconnect();
      });
      return watcher;
    };
    this.#watcher = this.#reconnect();
  }

  pause(): void {
    this.#watcher.pause();
  }

  resume(): void {
    this.#watcher.resume();
  }

  leave(): void {
    this.#watcher.leave();
  }

  #take({ events, notice }: WatchResponse): void {
    if (notice) this.notices.push(notice.code);
    for (const { seq, body } of events) {
      this.seen.push(seq);
      if (body.case !== "turnComplete") continue;
      this.#isFinished = true;
      this.#finish();
    }
  }
}

async function flood(
  { sessions }: Talk,
  sessionId: string,
  lines: number,
  perSecond?: number,
): Promise<void> {
  await sessions.sendPrompt({ sessionId, text: JSON.stringify({ lines, perSecond }) });
}

/** The stored numbers: deltas replaced by a finished message are gone. */
async function storedUpToTurnEnd({ sessions }: Talk, sessionId: string): Promise<readonly bigint[]> {
  const { events } = await sessions.listEvents({ sessionId, pageSize: 1000 });
  const end = events.findIndex(({ body }) => body.case === "turnComplete");
  return events.slice(0, end + 1).map(({ seq }) => seq);
}

function expectInOrder({ seen }: Follower): void {
  for (let i = 1; i < seen.length; i++)
    if (!((seen[i] ?? 0n) > (seen[i - 1] ?? 0n))) expect(seen).toBe("in order");
}

test("500 clients, 100 of them on one session, miss nothing even if some reconnect", async () => {
  const talk = await openBench().open({ agents: [FLOOD] });
  const [socketPath = ""] = talk.running.addresses;
  const ids = await Promise.all(Array.from({ length: 9 }, () => talk.create()));
  const followers = ids.flatMap((id, index) =>
    Array.from({ length: index === 0 ? 100 : 50 }, (_, place) => ({
      id,
      follower: new Follower(socketPath, id, place % 5 === 0 ? [5 + (place % 20), 60 + (place % 20)] : []),
    })),
  );
  await Promise.all(ids.map((id) => flood(talk, id, 150, 100)));
  await Promise.all(followers.map(({ follower }) => follower.finished));
  expect((await talk.health.healthDetails({})).clients).toMatchObject({ connected: 500, evicted: 0n });
  const stored = new Map(
    await Promise.all(ids.map(async (id) => [id, await storedUpToTurnEnd(talk, id)] as const)),
  );
  for (const { id, follower } of followers) {
    expectInOrder(follower);
    const seen = new Set(follower.seen);
    expect((stored.get(id) ?? []).filter((seq) => !seen.has(seq))).toEqual([]);
    follower.leave();
  }
}, 120_000);

test("a client that stops reading is served from the log, uses no queue memory, and still receives everything", async () => {
  const talk = await openBench().open({ agents: [FLOOD], queueBytes: 65_536 });
  const [socketPath = ""] = talk.running.addresses;
  const id = await talk.create();
  const well = Array.from({ length: 5 }, () => new Follower(socketPath, id));
  const slow = new Follower(socketPath, id);
  slow.pause();
  await flood(talk, id, 5000, 2500);
  await Promise.all(well.map(({ finished }) => finished));
  const { clients } = await talk.health.healthDetails({});
  expect(clients).toMatchObject({ connected: 6, slow: 1, evicted: 0n });
  slow.resume();
  await slow.finished;
  expect(slow.notices).toContain("replaying");
  expectInOrder(slow);
  const stored = await storedUpToTurnEnd(talk, id);
  for (const follower of [slow, ...well]) {
    const seen = new Set(follower.seen);
    expect(stored.filter((seq) => !seen.has(seq))).toEqual([]);
    follower.leave();
  }
}, 120_000);

test("a client that never reads again is disconnected without affecting others", async () => {
  const talk = await openBench().open({ agents: [FLOOD], queueBytes: 65_536, stallMs: 1000 });
  const [socketPath = ""] = talk.running.addresses;
  const id = await talk.create();
  const well = new Follower(socketPath, id);
  const gone = new Follower(socketPath, id);
  gone.pause();
  await flood(talk, id, 5000, 2500);
  await well.finished;
  // This happens even if the session produces nothing more.
  await vi.waitFor(
    async () => expect((await talk.health.healthDetails({})).clients).toMatchObject({ slow: 0, evicted: 1n }),
    { timeout: 30_000, interval: 100 },
  );
  expect(well.notices).not.toContain("evicted");
  for (const follower of [well, gone]) follower.leave();
}, 120_000);
