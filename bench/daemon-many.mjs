import { spawn } from "node:child_process";
import { once as onceEmitted } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { withTrial } from "./daemon/trial.mjs";
import { QUIET_AGENT, Voices } from "./daemon/voices.mjs";
import { decode, watch } from "./daemon/watcher.mjs";
import { once, summary } from "./measure.mjs";

const SESSIONS = 200;
const PER_SECOND = 5;
const SECONDS = 10;
const BARE = fileURLToPath(new URL("daemon/bare-many.mjs", import.meta.url));
const measured = once(() => both(SESSIONS));

/** The cost of many agents, compared with a program that only starts them, appends their output to a file and passes it on. */
export const figures = [
  { name: "p50", unit: "ms", target: 4, better: "less" },
  { name: "p99", unit: "ms", target: 4, better: "less" },
  { name: "starts", unit: "agents/s", target: 0.25, field: "starts" },
  { name: "CPU for a line", unit: "µs", target: 8, better: "less", field: "cpu" },
].map(({ name, field = name, ...figure }) => ({
  name: `daemon: ${SESSIONS} live sessions × ${PER_SECOND} lines/s, ${name}`,
  reference: "spawn + file + fdatasync + pipe",
  measure: async () => {
    const { ours, reference } = await measured();
    return { ours: summary([ours[field]]), reference: summary([reference[field]]) };
  },
  ...figure,
}));

/** Measures a daemon with this many agents that stream, and then the reference. */
export async function both(sessions) {
  return { ours: await withDaemon(sessions), reference: await withBare(sessions) };
}

/** Makes agents stream, and measures the delays, the rate of starts and the cost of a line. */
async function trial(sessions, { start, cpuSeconds, hears }) {
  const voices = new Voices(sessions);
  try {
    const delays = [];
    let isBegun = false;
    let heard = 0;
    let begun = () => {};
    const allBegun = new Promise((resolve) => {
      begun = resolve;
    });
    hears((time) => {
      if (isBegun) delays.push(performance.timeOrigin + performance.now() - time);
      else if (++heard === sessions) begun();
    });
    voices.begin();
    const before = performance.now();
    await start(voices.paths);
    await allBegun;
    const starts = (sessions / (performance.now() - before)) * 1000;
    // Code that is not compiled yet and work left over from the start must not be measured.
    await voices.talk(2, PER_SECOND);
    isBegun = true;
    const spent = await cpuSeconds();
    const lines = await voices.talk(SECONDS, PER_SECOND);
    const cpu = (((await cpuSeconds()) - spent) / lines) * 1e6;
    delays.sort((a, b) => a - b);
    const quantile = (part) => delays[Math.floor(delays.length * part)];
    return { p50: quantile(0.5), p99: quantile(0.99), starts, cpu };
  } finally {
    voices.close();
  }
}

const withDaemon = (sessions) =>
  withTrial(
    {
      agents: { quiet: { path: QUIET_AGENT } },
      settings: { max_processes: sessions + 1, spare_processes: 0 },
    },
    async (daemon) => {
      const ids = await Promise.all(Array.from({ length: sessions }, () => daemon.create()));
      let hear = () => {};
      const take = (bytes) => {
        for (const { body } of decode(bytes).events)
          if (body.case === "textDelta") hear(Number(body.value.text));
      };
      const stops = ids.map((id) => watch(daemon.socketPath, id, take));
      await daemon.attended(sessions);
      const result = await trial(sessions, {
        start: (paths) =>
          Promise.all(paths.map((text, i) => daemon.sessions.sendPrompt({ sessionId: ids[i], text }))),
        cpuSeconds: () => daemon.cpuSeconds(),
        hears: (callback) => {
          hear = callback;
        },
      });
      for (const stop of stops) stop();
      return result;
    },
  );

async function withBare(sessions) {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-bench-bare-"));
  const child = spawn(process.execPath, [BARE, join(folder, "log"), QUIET_AGENT], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let hear = () => {};
  let told = () => {};
  createInterface({ input: child.stdout }).on("line", (line) =>
    line.startsWith("cpu ") ? told(Number(line.slice(4))) : hear(Number(line)),
  );
  try {
    return await trial(sessions, {
      start: async (paths) => void child.stdin.write(paths.map((path) => `${path}\n`).join("")),
      cpuSeconds: () =>
        new Promise((resolve) => {
          told = resolve;
          child.stdin.write("cpu\n");
        }),
      hears: (callback) => {
        hear = callback;
      },
    });
  } finally {
    const exited = onceEmitted(child, "exit");
    child.stdin.end();
    await exited;
    rmSync(folder, { recursive: true });
  }
}
