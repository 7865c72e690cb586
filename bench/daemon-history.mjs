import { fill } from "./daemon/history.mjs";
import { withTrial } from "./daemon/trial.mjs";
import { untilTurnEnds } from "./daemon/watcher.mjs";
import { alternate, once, summary } from "./measure.mjs";

const MANY = 1_000_000;
const FEW = 1000;
const ROUNDS = 5;
const LINES = 10_000;
const PAGE = 500;
const PAGES = 60;
/** No events may be removed during the measurement. */
const SETTINGS = { keep_events: 1_000_000_000 };

/** The CPU time that the daemon needs for an event must not depend on how many are stored. */
export const figures = [
  { name: `an event written with ${MANY.toLocaleString("en")} stored ones`, of: "written" },
  { name: `an event read in a page anywhere among ${MANY.toLocaleString("en")}`, of: "read" },
].map(({ name, of }) => ({
  name: `daemon: ${name}`,
  unit: "µs of CPU",
  target: 1.25,
  better: "less",
  reference: `${FEW.toLocaleString("en")} stored`,
  measure: async () => (await costs())[of],
}));

const costs = once(() =>
  withTrial({ settings: SETTINGS }, (large) =>
    withTrial({ settings: SETTINGS }, async (small) => {
      const largeId = await fill(large, MANY);
      const smallId = await fill(small, FEW);
      return {
        written: await both(
          () => written(large, largeId),
          () => written(small, smallId),
        ),
        read: await both(
          () => read(large, largeId, MANY / 2),
          () => read(small, smallId, FEW / 2),
        ),
      };
    }),
  ),
);

async function both(ours, reference) {
  const samples = await alternate(ROUNDS, ours, reference);
  return { ours: summary(samples.ours), reference: summary(samples.reference) };
}

async function written(trial, sessionId) {
  const { lastSeq } = (await trial.sessions.getSession({ sessionId })).session;
  const ended = untilTurnEnds(trial.socketPath, sessionId, lastSeq);
  return microseconds(trial, LINES, async () => {
    await trial.sessions.sendPrompt({ sessionId, text: JSON.stringify({ lines: LINES }) });
    await ended;
  });
}

function read(trial, sessionId, stored) {
  return microseconds(trial, PAGES * PAGE, async () => {
    for (let i = 0; i < PAGES; i++) {
      const fromSeq = BigInt(Math.floor(Math.random() * (stored - PAGE)));
      await trial.sessions.listEvents({ sessionId, fromSeq, pageSize: PAGE });
    }
  });
}

async function microseconds(trial, events, run) {
  const before = await trial.cpuSeconds();
  await run();
  return (((await trial.cpuSeconds()) - before) / events) * 1e6;
}
