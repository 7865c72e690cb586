import { setTimeout as delay } from "node:timers/promises";
import { withThreeNodes } from "./cluster/three-nodes.mjs";
import { countEvents, decode, untilTurnEnds, watch } from "./daemon/watcher.mjs";
import { once, summary } from "./measure.mjs";

const LINES = 40_000;
const REPLAYED = 100_000;
const ROUNDS = 3;

/** Three nodes on one database, with the server on the same machine. */
export const figures = [
  {
    name: "lines in at three nodes, each through the log to a client of another one",
    unit: "lines/s",
    target: 15_000,
    measure: lines,
  },
  ...[0.5, 0.99].map((quantile) => ({
    name: `added through a second node at 1,000 lines/s, p${quantile * 100}`,
    unit: "ms",
    target: quantile === 0.5 ? 2 : 15,
    better: "less",
    measure: () => added(quantile),
  })),
  { name: "replay of 100,000 events by another node", unit: "events/s", target: 100_000, measure: replay },
  {
    name: "the log served by another node after the session's was killed",
    unit: "ms",
    target: 1000,
    better: "less",
    measure: served,
  },
  {
    name: "the next prompt after the session's node was killed",
    unit: "ms",
    target: 5000,
    better: "less",
    measure: () => gone((node) => node.kill()),
  },
  {
    name: "the next prompt after the session's node has hung",
    unit: "ms",
    target: 12_000,
    better: "less",
    measure: () => gone(async (node) => void process.kill(node.pid, "SIGSTOP"), 1),
  },
].map(({ name, ...figure }) => ({ name: `cluster: ${name}`, ...figure }));

async function lines() {
  return withThreeNodes(async (nodes) => {
    const rates = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const ids = await Promise.all(nodes.map((node) => node.create()));
      const watching = ids.map((id, at) => untilTurnEnds(nodes[(at + 1) % 3].socketPath, id));
      const began = performance.now();
      const text = JSON.stringify({ lines: LINES });
      await Promise.all(ids.map((sessionId, at) => nodes[at].sessions.sendPrompt({ sessionId, text })));
      await Promise.all(watching);
      // The code is not compiled yet in the first round.
      if (round > 0) rates.push(((3 * LINES) / (performance.now() - began)) * 1000);
    }
    return { ours: summary(rates) };
  });
}

/** For each round, how much later each line reached a client of another node than a client of the session's own node, sorted. */
const latencies = once(() =>
  withThreeNodes(async ([own, other]) => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => own.create()));
    await bothWays(own, other, ids, 50);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await bothWays(own, other, ids, 250));
    return rounds;
  }),
);

async function added(quantile) {
  const rounds = await latencies();
  return { ours: summary(rounds.map((sorted) => sorted[Math.floor(sorted.length * quantile)])) };
}

/** Sends this many lines in every session, 50 per second. Each line is compared at both nodes, so that the machine's load affects both equally. */
async function bothWays(own, other, ids, lines) {
  const lastSeqs = await Promise.all(
    ids.map(async (sessionId) => (await own.sessions.getSession({ sessionId })).session.lastSeq),
  );
  const seen = [own, other].map(() => new Map());
  const opened = [];
  const stops = [own, other].flatMap(({ socketPath }, at) =>
    ids.map((id, i) => {
      const take = (bytes) => {
        const now = performance.now();
        // Each delta contains the time at which it was written.
        for (const { body } of decode(bytes).events)
          if (body.case === "textDelta") seen[at].set(`${id} ${body.value.text}`, now);
      };
      let onOpen;
      opened.push(
        new Promise((resolve) => {
          onOpen = resolve;
        }),
      );
      return watch(socketPath, id, take, { afterSeq: lastSeqs[i], onOpen });
    }),
  );
  await Promise.all(opened);
  const ended = [own, other].flatMap(({ socketPath }) =>
    ids.map((id, i) => untilTurnEnds(socketPath, id, lastSeqs[i])),
  );
  const text = JSON.stringify({ lines, perSecond: 50 });
  // The sessions must not be synchronized with each other.
  for (const sessionId of ids) await own.sessions.sendPrompt({ sessionId, text });
  await Promise.all(ended);
  for (const stop of stops) stop();
  const [here, there] = seen;
  return [...there]
    .flatMap(([line, time]) => (here.has(line) ? [time - here.get(line)] : []))
    .sort((a, b) => a - b);
}

async function replay() {
  return withThreeNodes(async ([own, other]) => {
    const id = await own.create();
    const all = (node) =>
      new Promise((resolve) => {
        let count = 0;
        const stop = watch(node.socketPath, id, (bytes) => {
          count += countEvents(bytes);
          if (count < REPLAYED) return;
          stop();
          resolve();
        });
      });
    const flooded = all(own);
    // The reply must not end: for the slower client, a finished reply would replace its deltas.
    await own.sessions.sendPrompt({ sessionId: id, text: JSON.stringify({ lines: REPLAYED * 1000 }) });
    await flooded;
    // An interrupted reply keeps its deltas, which are then replayed.
    await own.kill();
    const rates = [];
    for (let round = 0; round < ROUNDS; round++) {
      const began = performance.now();
      await all(other);
      rates.push((REPLAYED / (performance.now() - began)) * 1000);
    }
    return { ours: summary(rates) };
  });
}

/** How long a client of another node waits for the whole log after the session's own node was killed. */
async function served() {
  return withThreeNodes(async ([own, other]) => {
    const times = [];
    for (let round = 0; round < ROUNDS; round++) {
      const sessionId = await own.create();
      await own.sessions.sendPrompt({ sessionId, text: JSON.stringify({ messages: 100 }) });
      const count = await untilTurnEnds(other.socketPath, sessionId, 0n);
      const began = performance.now();
      const killed = own.kill();
      const { events } = await other.sessions.listEvents({ sessionId, pageSize: 1000 });
      if (events.length < count) throw new Error(`${events.length} of ${count} events`);
      times.push(performance.now() - began);
      await killed;
      await own.start();
    }
    return { ours: summary(times) };
  });
}

/** The duration of a turn whose prompt is sent through another node after the session's own node has died. */
async function gone(end, rounds = ROUNDS) {
  return withThreeNodes(async ([own, other]) => {
    const times = [];
    for (let round = 0; round < rounds; round++) {
      const sessionId = await own.create();
      await own.sessions.sendPrompt({ sessionId, text: JSON.stringify({ lines: 10 }) });
      await untilTurnEnds(other.socketPath, sessionId, 0n);
      const { lastSeq } = (await other.sessions.getSession({ sessionId })).session;
      await end(own);
      const began = performance.now();
      const { seq } = await other.sessions.sendPrompt({ sessionId, text: JSON.stringify({ lines: 10 }) });
      await untilTurnEnds(other.socketPath, sessionId, seq > lastSeq ? seq : lastSeq);
      times.push(performance.now() - began);
      if (round + 1 < rounds) await own.start();
      else if (own.isRunning) process.kill(own.pid, "SIGCONT");
      await delay(500);
    }
    return { ours: summary(times) };
  });
}
