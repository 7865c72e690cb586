import { withTrial } from "./daemon/trial.mjs";
import { decode, untilTurnEnds, watch } from "./daemon/watcher.mjs";
import { alternate, summary } from "./measure.mjs";

const PER_SECOND = 10;
const SECONDS = 10;

/** What clients cost the daemon, and each other. */
export const figures = [
  ...[1, 10, 100, 300].map((clients) => ({
    name: `CPU at ${clients} clients × ${PER_SECOND} events/s`,
    unit: "% of a core",
    target: 10,
    better: "less",
    measure: () => cpu(clients),
  })),
  { name: "memory per client", unit: "MB", target: 0.2, better: "less", measure: perClient },
  {
    name: "memory per idle session without process",
    unit: "MB",
    target: 0.2,
    better: "less",
    measure: perSession,
  },
  {
    name: "p99 beside a client that never reads",
    unit: "ms",
    target: 1.25,
    better: "less",
    reference: "the same without it",
    measure: beside,
  },
].map(({ name, ...figure }) => ({ name: `daemon: ${name}`, ...figure }));

async function cpu(clients) {
  return withTrial({}, async (trial) => {
    const id = await trial.create();
    const stops = Array.from({ length: clients }, () => watch(trial.socketPath, id, () => {}));
    // The start of an agent, and code that is not compiled yet, are not what is measured.
    await turn(trial, id, 2);
    const before = (await trial.metrics()).get("process_cpu_seconds_total");
    const began = performance.now();
    await turn(trial, id, SECONDS);
    const spent = (await trial.metrics()).get("process_cpu_seconds_total") - before;
    const seconds = (performance.now() - began) / 1000;
    for (const stop of stops) stop();
    return { ours: summary([(spent / seconds) * 100]) };
  });
}

/** A turn of so many seconds; resolves when it is over. */
async function turn(trial, sessionId, seconds) {
  const { lastSeq } = (await trial.sessions.getSession({ sessionId })).session;
  const text = JSON.stringify({ lines: seconds * PER_SECOND, perSecond: PER_SECOND });
  await trial.sessions.sendPrompt({ sessionId, text });
  for await (const { events } of trial.sessions.watch({ sessionId, afterSeq: lastSeq }))
    if (events.some(({ body }) => body.case === "turnComplete")) return;
}

async function perClient() {
  return withTrial({}, async (trial) => {
    const id = await trial.create();
    const CLIENTS = 300;
    const open = () =>
      Promise.all(
        Array.from({ length: CLIENTS }, () => {
          return new Promise((resolve) => {
            const stop = watch(trial.socketPath, id, () => resolve(stop));
          });
        }),
      );
    // What the first ones make the process allocate for good is not theirs.
    for (const stop of await open()) stop();
    await settled(trial, 0);
    const before = await memory(trial);
    const stops = await open();
    await settled(trial, CLIENTS);
    const mb = ((await memory(trial)) - before) / CLIENTS / 1_048_576;
    for (const stop of stops) stop();
    return { ours: summary([mb]) };
  });
}

async function perSession() {
  return withTrial({}, async (trial) => {
    const SESSIONS = 1000;
    for (let i = 0; i < 200; i++) await trial.create();
    const before = await memory(trial);
    for (let i = 0; i < SESSIONS; i++) await trial.create();
    return { ours: summary([((await memory(trial)) - before) / SESSIONS / 1_048_576]) };
  });
}

async function beside() {
  return withTrial({ settings: { queue_bytes: 65_536 } }, async (trial) => {
    const p99 = async (hasSleeper) => {
      const id = await trial.create();
      const seen = [];
      const stop = watch(trial.socketPath, id, (bytes) => {
        const now = performance.timeOrigin + performance.now();
        for (const { body } of decode(bytes).events)
          if (body.case === "textDelta") seen.push(now - Number(body.value.text));
      });
      const wake = hasSleeper ? watch(trial.socketPath, id, () => {}, { reads: false }) : () => {};
      const ended = untilTurnEnds(trial.socketPath, id);
      const text = JSON.stringify({ lines: 1500, perSecond: 300 });
      await trial.sessions.sendPrompt({ sessionId: id, text });
      await ended;
      stop();
      wake();
      const sorted = seen.slice(150).sort((a, b) => a - b);
      return sorted[Math.floor(sorted.length * 0.99)];
    };
    const { ours, reference } = await alternate(
      5,
      () => p99(true),
      () => p99(false),
    );
    return { ours: summary(ours), reference: summary(reference) };
  });
}

const memory = async (trial) => (await trial.metrics()).get("process_resident_memory_bytes");

async function settled(trial, clients) {
  while ((await trial.metrics()).get("agentwire_clients") !== clients)
    await new Promise((resolve) => setTimeout(resolve, 50));
}
