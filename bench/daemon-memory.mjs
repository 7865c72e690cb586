import { setTimeout } from "node:timers/promises";
import { withTrial } from "./daemon/trial.mjs";
import { untilTurnEnds, watch } from "./daemon/watcher.mjs";
import { summary } from "./measure.mjs";

const CLIENTS = 300;
const SESSIONS = 1000;
const SLEEPERS = 50;
const QUEUE_BYTES = 1_048_576;
/** The memory that Node and the kernel use for a connection, in addition to the queue. */
const STREAM_MB = 0.3;

/** The daemon's memory. */
export const figures = [
  { name: "base", target: 120, measure: base },
  { name: "per client", target: 0.2, measure: perClient },
  { name: "per idle session without process", target: 0.2, measure: perSession },
  {
    name: `per client that never reads, with a queue of ${QUEUE_BYTES / 1_048_576} MB`,
    target: QUEUE_BYTES / 1_048_576 + STREAM_MB,
    measure: perSleeper,
  },
].map(({ name, ...figure }) => ({ name: `daemon: memory, ${name}`, unit: "MB", better: "less", ...figure }));

async function base() {
  return withTrial({}, async (trial) => {
    await trial.create();
    await setTimeout(1000);
    return { ours: summary([await trial.megabytes()]) };
  });
}

/** The first few clients compile code whose memory must not be counted. */
async function perClient() {
  return withTrial({}, async (trial) => {
    const id = await trial.create();
    const open = (count) => Array.from({ length: count }, () => watch(trial.socketPath, id, () => {}));
    const first = open(10);
    await trial.attended(10);
    const before = await trial.megabytes();
    const stops = open(CLIENTS);
    await trial.attended(10 + CLIENTS);
    const mb = ((await trial.megabytes()) - before) / CLIENTS;
    for (const stop of [...first, ...stops]) stop();
    return { ours: summary([mb]) };
  });
}

async function perSession() {
  return withTrial({}, async (trial) => {
    for (let i = 0; i < 200; i++) await trial.create();
    const before = await trial.megabytes();
    for (let i = 0; i < SESSIONS; i++) await trial.create();
    return { ours: summary([((await trial.megabytes()) - before) / SESSIONS]) };
  });
}

/** Each client is sent far more than its queue can hold. The same flood without clients precedes it, because the process keeps memory from it. */
async function perSleeper() {
  return withTrial({ settings: { queue_bytes: QUEUE_BYTES } }, async (trial) => {
    const flood = async () => {
      const sessionId = await trial.create();
      return {
        sessionId,
        async run() {
          const ended = untilTurnEnds(trial.socketPath, sessionId);
          await trial.sessions.sendPrompt({ sessionId, text: JSON.stringify({ lines: 50_000 }) });
          await ended;
        },
      };
    };
    for (let i = 0; i < 2; i++) await (await flood()).run();
    const before = await trial.megabytes();
    const { sessionId, run } = await flood();
    const stops = Array.from({ length: SLEEPERS }, () =>
      watch(trial.socketPath, sessionId, () => {}, { reads: false }),
    );
    await trial.attended(SLEEPERS);
    await run();
    const mb = ((await trial.megabytes()) - before) / SLEEPERS;
    for (const stop of stops) stop();
    return { ours: summary([mb]) };
  });
}
