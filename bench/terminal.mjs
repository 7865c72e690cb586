import { setTimeout } from "node:timers/promises";
import { withTrial } from "./daemon/trial.mjs";
import { once, summary } from "./measure.mjs";
import { PROGRAM, Pty } from "./terminal/pty.mjs";

const STARTS = 12;
const FLOOD_LINES = 200_000;
const STREAM = { perSecond: 60_000, atOnce: 300 };
const SECONDS = 10;
const KEYS = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
const MESSAGES = 10_000;
const GROWN_LINES = 1_000_000;
const MANY_LINES = 3_000_000;
const REST_MS = 3000;
const READY = "Ask, or type";

const flooded = once(() => withTrial({}, floods));

/** The budgets of the interactive screen; `script` provides its terminal. */
export const figures = [
  {
    name: "terminal: first frame of the screen, from the shell",
    unit: "ms",
    target: 350,
    better: "less",
    measure: () => withTrial({}, firstFrames),
  },
  {
    name: "terminal: deltas from the daemon, shown by the screen",
    unit: "deltas/s",
    target: 60_000,
    measure: async () => ({ ours: (await flooded()).rates }),
  },
  {
    name: `terminal: seconds of ${SECONDS}, with 60,000 deltas each, in which the screen keeps up`,
    unit: "s",
    target: SECONDS,
    measure: () => withTrial({}, keepsUp),
  },
  {
    name: "terminal: computing time of the screen for a delta (60,000 in a second: 16.7 µs each)",
    unit: "µs",
    target: 5,
    better: "less",
    measure: async () => ({ ours: (await flooded()).costs }),
  },
  {
    name: "terminal: from a key to its echo while 60,000 deltas/s stream, 95 % of keys",
    unit: "ms",
    target: 30,
    better: "less",
    measure: () => withTrial({}, echoes),
  },
  {
    name: "terminal: memory of the screen at rest after 10,000 messages",
    unit: "MB",
    target: 120,
    better: "less",
    measure: () => withTrial({}, afterMessages),
  },
  {
    name: "terminal: memory of the screen after 4,000,000 deltas",
    unit: "MB",
    reference: "after 1,000,000",
    target: 1.15,
    better: "less",
    measure: () => withTrial({}, afterDeltas),
  },
];

const open = ({ folder }, ...args) =>
  new Pty([process.execPath, PROGRAM, "--folder", folder, ...args].join(" "), { HOME: folder }, folder);

async function firstFrames(trial) {
  const samples = [];
  for (let start = 0; start < STARTS; start++) {
    const began = performance.now();
    const screen = open(trial);
    await screen.see(READY);
    // The first start compiles code for the later ones.
    if (start > 0) samples.push(performance.now() - began);
    screen.type("\x04");
    await screen.end();
  }
  return { ours: summary(samples) };
}

async function floods(trial) {
  const shown = [];
  for (let round = 0; round < 3; round++) shown.push(await shownFlood(trial));
  return { rates: summary(shown.map(({ rate }) => rate)), costs: summary(shown.map(({ cost }) => cost)) };
}

/** A client that lags behind is served from the log for a while, which the daemon counts. */
async function keepsUp(trial) {
  const behind = async () => (await trial.metrics()).get("agentwire_clients_slow_total");
  const screen = open(trial, "--resume", await trial.create());
  const text = JSON.stringify({ lines: STREAM.perSecond, ...STREAM });
  let seconds = 0;
  try {
    await screen.see(READY);
    for (let second = 0; second < SECONDS; second++) {
      const before = await behind();
      screen.forget();
      screen.type(`${text}\r`);
      await screen.see("done");
      if ((await behind()) === before) seconds++;
    }
    return { ours: summary([seconds]) };
  } finally {
    await screen.end();
  }
}

async function shownFlood(trial) {
  const screen = open(trial, "--resume", await trial.create());
  try {
    await screen.see(READY);
    screen.type(JSON.stringify({ lines: FLOOD_LINES }));
    await screen.see(`${FLOOD_LINES}}`);
    screen.forget();
    const cpuBefore = screen.cpuMs();
    const began = performance.now();
    screen.type("\r");
    await screen.see("done");
    const took = performance.now() - began;
    const cost = ((screen.cpuMs() - cpuBefore) * 1000) / FLOOD_LINES;
    return { rate: (FLOOD_LINES * 1000) / took, cost };
  } finally {
    await screen.end();
  }
}

async function echoes(trial) {
  const screen = open(trial, "--resume", await trial.create());
  try {
    await screen.see(READY);
    screen.type(`${JSON.stringify({ lines: SECONDS * STREAM.perSecond, ...STREAM })}\r`);
    await screen.see("a piece of the reply");
    const samples = [];
    let typed = "";
    for (const key of KEYS) {
      await setTimeout(60);
      typed += key;
      screen.forget();
      const began = performance.now();
      screen.type(key);
      await screen.see(`› ${typed}`);
      samples.push(performance.now() - began);
    }
    samples.sort((one, other) => one - other);
    return { ours: summary([samples[Math.floor(samples.length * 0.95)]]) };
  } finally {
    await screen.end();
  }
}

/** A screen that has nothing to draw for a while frees memory. */
async function afterMessages(trial) {
  const screen = open(trial, "--resume", await trial.create());
  try {
    await screen.see(READY);
    await flood(screen, { messages: MESSAGES });
    await setTimeout(REST_MS);
    return { ours: summary([screen.megabytes()]) };
  } finally {
    await screen.end();
  }
}

/** The heap grows to the size that V8 chooses for such work, and may not grow beyond it. */
async function afterDeltas(trial) {
  const [reference, ours] = await memoryAfter(trial, { lines: GROWN_LINES }, { lines: MANY_LINES });
  return { reference, ours };
}

async function flood(screen, asked) {
  screen.forget();
  screen.type(`${JSON.stringify(asked)}\r`);
  await screen.see("done");
}

async function memoryAfter(trial, ...floods) {
  const screen = open(trial, "--resume", await trial.create());
  const found = [];
  try {
    await screen.see(READY);
    for (const asked of floods) {
      await flood(screen, asked);
      found.push(summary([screen.megabytes()]));
    }
    return found;
  } finally {
    await screen.end();
  }
}
