import { setTimeout } from "node:timers/promises";
import { withTrial } from "./daemon/trial.mjs";
import { untilTurnEnds } from "./daemon/watcher.mjs";
import { summary } from "./measure.mjs";
import { PROGRAM, Pty } from "./terminal/pty.mjs";

const STARTS = 12;
const FLOOD_LINES = 200_000;
const KEYS = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
const MESSAGES = 10_000;
const READY = "Ask, or type";

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
    measure: () => withTrial({}, floods),
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
  const [ours, bare] = [[], []];
  for (let round = 0; round < 3; round++) {
    bare.push(await bareFlood(trial));
    ours.push(await shownFlood(trial));
  }
  return { ours: summary(ours), reference: summary(bare) };
}

async function bareFlood(trial) {
  const id = await trial.create();
  const ended = untilTurnEnds(trial.socketPath, id, 0n);
  const began = performance.now();
  await trial.sessions.sendPrompt({ sessionId: id, text: JSON.stringify({ lines: FLOOD_LINES }) });
  await ended;
  return (FLOOD_LINES * 1000) / (performance.now() - began);
}

async function shownFlood(trial) {
  const screen = open(trial, "--resume", await trial.create());
  try {
    await screen.see(READY);
    screen.type(JSON.stringify({ lines: FLOOD_LINES }));
    await screen.see(`${FLOOD_LINES}}`);
    screen.forget();
    const began = performance.now();
    screen.type("\r");
    await screen.see("done");
    return (FLOOD_LINES * 1000) / (performance.now() - began);
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

async function afterMessages(trial) {
  const screen = open(trial, "--resume", await trial.create());
  try {
    await screen.see(READY);
    screen.type(`${JSON.stringify({ messages: MESSAGES })}\r`);
    await screen.see("done");
    return { ours: summary([screen.megabytes()]) };
  } finally {
    await screen.end();
  }
}
