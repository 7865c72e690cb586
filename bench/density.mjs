import { setTimeout as delay } from "node:timers/promises";
import { residentMemory } from "./agent/memory.mjs";
import { start as startOfOne, turns as turnsOfOne } from "./agent.mjs";
import { decode, watch } from "./daemon/watcher.mjs";
import { withSharing } from "./density/sharing.mjs";
import { once, summary } from "./measure.mjs";

/** Use a smaller number on a machine with other work: `AGENTWIRE_BENCH_SESSIONS=200 npm run bench -- density`. */
const SESSIONS = Number(process.env.AGENTWIRE_BENCH_SESSIONS ?? 1000);
const PER_PROCESS = Math.min(250, SESSIONS);
const STREAMING = Math.ceil(SESSIONS / 10);
const DELTAS_PER_SECOND = 20_000 * (STREAMING / 100);
const STREAM_SECONDS = 10;
/** The start of so many turns at once occupies both cores for some tenths of a second, during which deltas are delayed. */
const SETTLED_AFTER_MS = 1000;
const STARTS = 100;
const START_SECONDS = 5;
/** The number of turns that run at once while sessions are prepared. */
const AT_ONCE = 16;

const PARKED_AFTER_S = 2;
/** A session without a process and clients leaves the daemon's memory after this time. */
const FORGOTTEN_MS = 130_000;

const measured = once(() => live());
const rested = once(() => parked());
const started = once(() => starts());

const value = async (promise) => ({ ours: summary([await promise]) });

/** Sessions of our own agent in shared processes with a daemon, each after a turn with one tool call. */
export const figures = [
  {
    name: `memory of ${SESSIONS} live sessions, daemon and agents`,
    unit: "MB",
    // 1.5 GB for a thousand, of which the programs use 0.3 GB without sessions.
    target: 300 + 1.2 * SESSIONS,
    measure: () => value(measured().then(({ megabytes }) => megabytes)),
  },
  {
    name: `memory of ${SESSIONS} live sessions, against as many processes of the official CLI`,
    unit: "MB",
    reference: `official CLI: one process after a turn, × ${SESSIONS}`,
    target: 0.008,
    measure: async () => ({
      ours: summary([(await measured()).megabytes]),
      reference: multiplied((await turnsOfOne()).memoryAfter1.reference, SESSIONS),
    }),
  },
  {
    name: `${STREAMING} of ${SESSIONS} sessions stream ${DELTAS_PER_SECOND} deltas/s in sum, p99 from API to client`,
    unit: "ms",
    target: 60,
    measure: () => value(measured().then(({ p99 }) => p99)),
  },
  {
    name: `kill -9 of a process with ${PER_PROCESS} sessions, until all have answered again`,
    unit: "ms",
    target: 5000,
    measure: () => value(measured().then(({ recoveryMs }) => recoveryMs)),
  },
  {
    name: `each of ${SESSIONS} parked sessions`,
    unit: "MB",
    target: 0.1,
    measure: () => value(rested().then(({ megabytes }) => megabytes)),
  },
  {
    name: "prompt to a parked session to first delta, p50",
    unit: "ms",
    target: 20,
    measure: () => value(rested().then(({ p50 }) => p50)),
  },
  {
    name: "new session to first delta, p50",
    unit: "ms",
    target: 15,
    measure: () => value(started().then(({ p50 }) => p50)),
  },
  {
    name: "new session to first delta, p50, against a start of the official CLI",
    unit: "ms",
    reference: "official CLI, from spawn to result",
    target: 0.05,
    measure: async () => ({
      ours: summary([(await started()).p50]),
      reference: (await startOfOne()).result.reference,
    }),
  },
  {
    name: `new sessions in a second, for ${START_SECONDS} s`,
    unit: "sessions/s",
    target: 60,
    better: "more",
    measure: () => value(started().then(({ perSecond }) => perSecond)),
  },
].map(({ name, ...figure }) => ({ name: `density: ${name}`, better: "less", ...figure }));

/** What so many of them would take: a thousand processes of the official CLI do not fit on this machine. */
const multiplied = ({ samples, ...range }, count) => ({
  ...Object.fromEntries(Object.entries(range).map(([name, one]) => [name, one * count])),
  samples,
});

/** Sends a prompt and reports each event of its turn; resolves when the turn has ended. */
async function turn(trial, sessionId, text, onEvent = () => {}) {
  const { seq } = await trial.sessions.sendPrompt({ sessionId, text });
  await new Promise((resolve) => {
    const take = (bytes) => {
      for (const { body } of decode(bytes).events) {
        onEvent(body);
        if (body.case !== "turnComplete") continue;
        stop();
        resolve();
      }
    };
    const stop = watch(trial.socketPath, sessionId, take, { afterSeq: seq });
  });
}

/** Runs a function for each item, this many at a time. */
async function forEach(items, atOnce, act) {
  const left = [...items];
  const work = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await act(item);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

const live = () =>
  withSharing({ perProcess: PER_PROCESS }, async (trial) => {
    const ids = [];
    await forEach(Array(SESSIONS).fill(true), AT_ONCE, async () => {
      const id = await trial.create();
      ids.push(id);
      await turn(trial, id, "tool");
    });
    const megabytes = residentMemory(trial.pid);
    const p99 = await streaming(trial, ids.slice(0, STREAMING));
    return { megabytes, p99, recoveryMs: await recovery(trial, ids) };
  });

/** Sessions whose agents have ended after a while without prompts. The code is not compiled yet for the first few. */
const parked = () =>
  withSharing({ perProcess: PER_PROCESS, settings: { idle_seconds: PARKED_AFTER_S } }, async (trial) => {
    const fill = async (count) => {
      const ids = [];
      await forEach(Array(count).fill(true), AT_ONCE, async () => {
        const id = await trial.create();
        ids.push(id);
        await turn(trial, id, "tool");
      });
      while ((await trial.metrics()).get("agentwire_processes") > 0) await delay(100);
      await delay(FORGOTTEN_MS);
      return ids;
    };
    await fill(Math.min(100, SESSIONS));
    const before = residentMemory(trial.pid);
    const ids = await fill(SESSIONS);
    const megabytes = (residentMemory(trial.pid) - before) / SESSIONS;
    const times = [];
    for (const id of ids.slice(0, STARTS)) times.push(await firstDelta(trial, id));
    return { megabytes, p50: summary(times).median };
  });

/** The time from a prompt to the first delta of the reply. */
async function firstDelta(trial, id) {
  const began = performance.now();
  let ms;
  await turn(trial, id, "hello", ({ case: kind }) => {
    if (/^text(Delta)?$/.test(kind)) ms ??= performance.now() - began;
  });
  return ms;
}

/** Measures only while all of them are streaming, not while so many turns start or end. */
async function streaming(trial, ids) {
  const rate = Math.round(DELTAS_PER_SECOND / ids.length);
  const delays = [];
  const begun = new Set();
  let ended = 0;
  let settledAt = Number.POSITIVE_INFINITY;
  const take = (id, body) => {
    if (body.case === "turnComplete") ended++;
    if (body.case !== "textDelta") return;
    if (begun.size < ids.length && begun.add(id).size === ids.length)
      settledAt = performance.now() + SETTLED_AFTER_MS;
    if (performance.now() < settledAt || ended > 0) return;
    const now = performance.timeOrigin + performance.now();
    for (const time of body.value.text.trim().split(" ")) delays.push(now - Number(time));
  };
  const prompt = (seconds) => `stream ${rate * seconds} ${rate}`;
  // Code that is not compiled yet must not be measured.
  await Promise.all(ids.map((id) => turn(trial, id, prompt(2))));
  await Promise.all(ids.map((id) => turn(trial, id, prompt(STREAM_SECONDS), (body) => take(id, body))));
  delays.sort((a, b) => a - b);
  return delays[Math.floor(delays.length * 0.99)];
}

/** A tenth of all sessions are in a turn when a process is killed. Then each of its sessions is sent another prompt. */
async function recovery(trial, ids) {
  const [[label, sessions]] = [...(await trial.metrics())].filter(([name]) =>
    name.startsWith("agentwire_shared_process_sessions"),
  );
  const pid = Number(/pid="(\d+)"/.exec(label)[1]);
  const answered = [];
  let all = () => {};
  const done = new Promise((resolve) => {
    all = resolve;
  });
  const inTurn = new Set();
  let allInTurn = () => {};
  const begun = new Promise((resolve) => {
    allInTurn = resolve;
  });
  let killedAt = 0;
  const stops = ids.map((id) => {
    let isLost = false;
    return watch(trial.socketPath, id, (bytes) => {
      for (const { body } of decode(bytes).events) {
        if (body.case === "textDelta" && inTurn.add(id).size === STREAMING) allInTurn();
        if (killedAt > 0 && body.case === "error" && body.value.code === "killed" && !isLost) {
          isLost = true;
          void trial.sessions.sendPrompt({ sessionId: id, text: "hello" });
        }
        if (isLost && body.case === "turnComplete" && answered.push(id) === sessions) all();
      }
    });
  });
  await trial.attended(ids.length);
  await Promise.all(
    ids
      .slice(0, STREAMING)
      .map((sessionId) => trial.sessions.sendPrompt({ sessionId, text: "stream 100000 20" })),
  );
  // A prompt that has not started is not lost: it would be run again, and the next prompt would wait for it.
  await begun;
  killedAt = performance.now();
  process.kill(pid, "SIGKILL");
  await done;
  const recoveryMs = performance.now() - killedAt;
  for (const stop of stops) stop();
  return recoveryMs;
}

const starts = () =>
  withSharing({ perProcess: PER_PROCESS }, async (trial) => {
    const toFirstDelta = async () => {
      const began = performance.now();
      const { session } = await trial.sessions.createSession({ cwd: trial.folder, prompt: "hello" });
      const delta = await new Promise((resolve) => {
        const stop = watch(trial.socketPath, session.id, (bytes) => {
          // A client that connects after the turn receives the whole text.
          if (!decode(bytes).events.some(({ body }) => /^text(Delta)?$/.test(body.case))) return;
          resolve(performance.now() - began);
          stop();
        });
      });
      return delta;
    };
    // Code that is not compiled yet must not be measured.
    for (let i = 0; i < STARTS; i++) await toFirstDelta();
    const times = [];
    for (let i = 0; i < STARTS; i++) times.push(await toFirstDelta());
    const until = performance.now() + START_SECONDS * 1000;
    let count = 0;
    const work = async () => {
      for (; performance.now() < until; count++) await toFirstDelta();
    };
    await Promise.all(Array.from({ length: 8 }, work));
    return { p50: summary(times).median, perSecond: count / START_SECONDS };
  });
