import { withTrial } from "./daemon/trial.mjs";
import { countEvents, decode, untilTurnEnds, watch } from "./daemon/watcher.mjs";
import { once, summary } from "./measure.mjs";

const LINES = 100_000;
const ROUNDS = 3;

/** The daemon's overhead. The targets are absolute, because the machine's own limits are the reference. */
export const figures = [
  { name: "lines in, through the log to 1 client", unit: "lines/s", target: 20_000, measure: () => lines(1) },
  {
    name: "lines in, through the log to 10 clients",
    unit: "lines/s",
    target: 20_000,
    measure: () => lines(10),
  },
  {
    name: "added at 1,000 lines/s over 20 sessions, p50",
    unit: "ms",
    target: 2,
    better: "less",
    measure: () => added(0.5),
  },
  {
    name: "added at 1,000 lines/s over 20 sessions, p99",
    unit: "ms",
    target: 15,
    better: "less",
    measure: () => added(0.99),
  },
  { name: "rule evaluation with 100 rules, p50", unit: "ms", target: 0.1, better: "less", measure: rules },
  { name: "replay of 100,000 events", unit: "events/s", target: 100_000, measure: replay },
  {
    name: "session start, cold, to the first delta",
    unit: "ms",
    target: 400,
    better: "less",
    measure: () => start(0),
  },
  {
    name: "session start, warm, to the first delta",
    unit: "ms",
    target: 100,
    better: "less",
    measure: () => start(2),
  },
  {
    name: "recovery after SIGKILL with 1,000 stored sessions",
    unit: "ms",
    target: 1000,
    better: "less",
    measure: recovery,
  },
].map(({ name, ...figure }) => ({ name: `daemon: ${name}`, ...figure }));

async function lines(clients) {
  return withTrial({}, async (trial) => {
    const rates = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const id = await trial.create();
      const watching = Array.from({ length: clients }, () => untilTurnEnds(trial.socketPath, id));
      const began = performance.now();
      await trial.sessions.sendPrompt({ sessionId: id, text: JSON.stringify({ lines: LINES }) });
      await Promise.all(watching);
      // The code is not compiled yet in the first round.
      if (round > 0) rates.push((LINES / (performance.now() - began)) * 1000);
    }
    return { ours: summary(rates) };
  });
}

/** For each round, the delays of all lines, sorted. The first round includes the start of twenty processes and does not count. */
const latencies = once(() =>
  withTrial({}, async (trial) => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => trial.create()));
    await paced(trial, ids, 50);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await paced(trial, ids, 250));
    return rounds;
  }),
);

/** Sends this many lines in every session, 50 per second. */
async function paced(trial, ids, lines) {
  const seen = [];
  const lastSeqs = await Promise.all(
    ids.map(async (id) => (await trial.sessions.getSession({ sessionId: id })).session.lastSeq),
  );
  const stops = ids.map((id, i) =>
    watch(
      trial.socketPath,
      id,
      (bytes) => {
        const now = performance.timeOrigin + performance.now();
        for (const { body } of decode(bytes).events)
          if (body.case === "textDelta") seen.push(now - Number(body.value.text));
      },
      { afterSeq: lastSeqs[i] },
    ),
  );
  const ended = ids.map((id, i) => untilTurnEnds(trial.socketPath, id, lastSeqs[i]));
  const text = JSON.stringify({ lines, perSecond: 50 });
  // The sessions must not be synchronized with each other.
  for (const sessionId of ids) await trial.sessions.sendPrompt({ sessionId, text });
  await Promise.all(ended);
  for (const stop of stops) stop();
  return seen.sort((a, b) => a - b);
}

async function added(quantile) {
  const rounds = await latencies();
  return { ours: summary(rounds.map((sorted) => sorted[Math.floor(sorted.length * quantile)])) };
}

async function rules() {
  const { evaluate, scopedRule } = {
    ...(await import("../packages/daemon/dist/permission/engine.js")),
    ...(await import("../packages/daemon/dist/permission/rule-book.js")),
  };
  const book = Array.from({ length: 100 }, (_, i) =>
    scopedRule({ rule: `Bash(tool${i} *)`, behavior: "allow", scope: 3, owner: "", createdBy: "bench" }),
  );
  const call = { toolName: "Bash", input: { command: "tool99 --flag && tool98 other | tool97" } };
  const times = [];
  for (let i = 0; i < 5000; i++) {
    const began = performance.now();
    evaluate(call, book, { cwd: "/project" });
    times.push(performance.now() - began);
  }
  return { ours: summary(times.slice(1000)) };
}

async function replay() {
  return withTrial({}, async (trial) => {
    const id = await trial.create();
    // An interrupted reply keeps its deltas, which are then replayed.
    const flooded = new Promise((resolve) => {
      let count = 0;
      const stop = watch(trial.socketPath, id, (bytes) => {
        count += countEvents(bytes);
        if (count < LINES) return;
        stop();
        resolve();
      });
    });
    await trial.sessions.sendPrompt({ sessionId: id, text: JSON.stringify({ lines: LINES * 5 }) });
    await flooded;
    await trial.kill();
    await trial.start();
    const rates = [];
    for (let round = 0; round < ROUNDS; round++) {
      const began = performance.now();
      await new Promise((resolve) => {
        let count = 0;
        const stop = watch(trial.socketPath, id, (bytes) => {
          count += countEvents(bytes);
          if (count < LINES) return;
          stop();
          resolve();
        });
      });
      rates.push((LINES / (performance.now() - began)) * 1000);
    }
    return { ours: summary(rates) };
  });
}

async function start(spares) {
  return withTrial({ agent: "agentwire", settings: { spare_processes: spares } }, async (trial) => {
    const times = [];
    for (let round = 0; round < 7; round++) {
      // Spares are only started when no one waits for a session.
      await new Promise((resolve) => setTimeout(resolve, 1500));
      const began = performance.now();
      const id = await trial.create();
      const spoke = new Promise((resolve) => {
        const stop = watch(trial.socketPath, id, (bytes) => {
          if (!decode(bytes).events.some(({ body }) => body.case === "textDelta")) return;
          stop();
          resolve();
        });
      });
      await trial.sessions.sendPrompt({ sessionId: id, text: "hello" });
      await spoke;
      times.push(performance.now() - began);
    }
    return { ours: summary(times.slice(1)) };
  });
}

async function recovery() {
  return withTrial({}, async (trial) => {
    for (let i = 0; i < 1000; i++) await trial.create();
    const times = [];
    for (let round = 0; round < ROUNDS; round++) {
      const id = await trial.create();
      await trial.sessions.sendPrompt({
        sessionId: id,
        text: JSON.stringify({ lines: 1000, perSecond: 10 }),
      });
      await trial.kill();
      const began = performance.now();
      await trial.start();
      await trial.sessions.listSessions({ pageSize: 50 });
      times.push(performance.now() - began);
    }
    return { ours: summary(times) };
  });
}
