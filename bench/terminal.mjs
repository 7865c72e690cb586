import { setTimeout } from "node:timers/promises";
import { withTrial } from "./daemon/trial.mjs";
import { untilTurnEnds } from "./daemon/watcher.mjs";
import { once, summary } from "./measure.mjs";
import { PROGRAM, Pty } from "./terminal/pty.mjs";

const STARTS = 12;
const FLOOD_LINES = 200_000;
const KEYS = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
const MESSAGES = 10_000;
const MANY_LINES = 1_000_000;
const READY = "Ask, or type";

const flooded = once(() => withTrial({}, floods));

/** The interactive screen against its budgets; `script` gives it a terminal. */
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
    reference: "a client that shows nothing",
    target: 0.9,
    measure: async () => (await flooded()).rates,
  },
  {
    name: "terminal: computing time of the screen for a delta (60,000 in a second: 16.7 µs each)",
    unit: "µs",
    target: 5,
    better: "less",
    measure: async () => (await flooded()).costs,
  },
  {
    name: "terminal: from a key to its echo while text streams, 95 % of keys",
    unit: "ms",
    target: 30,
    better: "less",
    measure: () => withTrial({}, echoes),
  },
  {
    name: "terminal: memory of the screen after 10,000 messages",
    unit: "MB",
    target: 120,
    better: "less",
    measure: () => withTrial({}, afterMessages),
  },
  {
    name: "terminal: memory of the screen after 1,000,000 deltas",
    unit: "MB",
    reference: "after 200,000",
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
    // The first start compiles what the others find compiled.
    if (start > 0) samples.push(performance.now() - began);
    screen.type("\x04");
    await screen.end();
  }
  return { ours: summary(samples) };
}

async function floods(trial) {
  const [bare, shown] = [[], []];
  for (let round = 0; round < 3; round++) {
    bare.push(await counted(trial, bareFlood));
    shown.push(await counted(trial, shownFlood));
  }
  const [bareTimes, ourTimes] = [bare, shown].map((runs) =>
    runs.reduce((sum, { behind }) => sum + behind, 0),
  );
  // On a busy machine every client may have to be served from the log now and then.
  process.stderr.write(
    `(served from the log: ${ourTimes} times, a client that shows nothing ${bareTimes} times) `,
  );
  const rates = (runs) => summary(runs.map(({ rate }) => rate));
  return {
    rates: { ours: rates(shown), reference: rates(bare) },
    costs: { ours: summary(shown.map(({ cost }) => cost)) },
  };
}

/** What a flood gives, and how often its client had to be served from the log because it did not keep up. */
async function counted(trial, flood) {
  const times = async () => (await trial.metrics()).get("agentwire_clients_slow_total");
  const before = await times();
  const result = await flood(trial);
  return { ...result, behind: (await times()) - before };
}

async function bareFlood(trial) {
  const id = await trial.create();
  const ended = untilTurnEnds(trial.socketPath, id, 0n);
  const began = performance.now();
  await trial.sessions.sendPrompt({ sessionId: id, text: JSON.stringify({ lines: FLOOD_LINES }) });
  await ended;
  return { rate: (FLOOD_LINES * 1000) / (performance.now() - began) };
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
    screen.type(`${JSON.stringify({ lines: 2_000_000 })}\r`);
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

const afterMessages = async (trial) => ({ ours: await megabytesAfter(trial, { messages: MESSAGES }) });

const afterDeltas = async (trial) => ({
  reference: await megabytesAfter(trial, { lines: FLOOD_LINES }),
  ours: await megabytesAfter(trial, { lines: MANY_LINES }),
});

async function megabytesAfter(trial, flood) {
  const screen = open(trial, "--resume", await trial.create());
  try {
    await screen.see(READY);
    screen.type(`${JSON.stringify(flood)}\r`);
    await screen.see("done");
    return summary([screen.megabytes()]);
  } finally {
    await screen.end();
  }
}
