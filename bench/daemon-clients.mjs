import { withTrial } from "./daemon/trial.mjs";
import { decode, untilTurnEnds, watch } from "./daemon/watcher.mjs";
import { alternate, summary } from "./measure.mjs";

const PER_SECOND = 1000;
const TURNS = 15;

/** How a client that never reads affects the other clients. */
export const figures = [
  {
    name: `daemon: p99 at ${PER_SECOND.toLocaleString("en")} lines/s beside a client that never reads`,
    unit: "ms",
    target: 1.25,
    better: "less",
    reference: "the same without it",
    measure: beside,
  },
];

/** Two sessions stream alternately for a second each. One of them also has a client that connected before its first line and never reads. */
async function beside() {
  return withTrial({ settings: { queue_bytes: 65_536 } }, async (trial) => {
    const [besideSleeper, alone] = await Promise.all([listened(trial), listened(trial)]);
    const wake = watch(trial.socketPath, besideSleeper.id, () => {}, { reads: false });
    await trial.attended(3);
    const { ours, reference } = await alternate(TURNS, besideSleeper.p99, alone.p99);
    const slow = (await trial.health.healthDetails({})).clients.slow;
    for (const stop of [besideSleeper.stop, alone.stop, wake]) stop();
    if (slow !== 1) throw new Error(`${slow} clients were slow, and one should have been`);
    return { ours: summary(ours), reference: summary(reference) };
  });
}

/** A session with a client that reads; `p99` makes it stream and returns the 99th percentile of that client's delays. */
async function listened(trial) {
  const id = await trial.create();
  let delays = [];
  const stop = watch(trial.socketPath, id, (bytes) => {
    const now = performance.timeOrigin + performance.now();
    for (const { body } of decode(bytes).events)
      if (body.case === "textDelta") delays.push(now - Number(body.value.text));
  });
  const p99 = async () => {
    const { lastSeq } = (await trial.sessions.getSession({ sessionId: id })).session;
    const ended = untilTurnEnds(trial.socketPath, id, lastSeq);
    delays = [];
    const text = JSON.stringify({ lines: PER_SECOND, perSecond: PER_SECOND });
    await trial.sessions.sendPrompt({ sessionId: id, text });
    await ended;
    const sorted = delays.sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length * 0.99)];
  };
  return { id, stop, p99 };
}
