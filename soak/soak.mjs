import { setMaxListeners } from "node:events";
import { SessionStatus } from "@agentwire/api";
import { decode, watch } from "../bench/daemon/watcher.mjs";
import { growthOf } from "./growth.mjs";
import { processesOf } from "./loads.mjs";
import { LogBook } from "./log-book.mjs";
import { pause, randomFrom } from "./random.mjs";
import { look, sample } from "./samples.mjs";
import { answer, killAround, prompt, talk, visit } from "./troop.mjs";

/** The time limit for sessions to become idle, and for agents to exit. */
const REST_MS = 600_000;
/** Files that are opened and closed independently of the load. */
const SPARE_FILES = 4;

/** Runs a daemon under load for a while, and determines what it has lost and how it has grown. */
export function soak({ load, minutes, seed, sizes, tell }, over) {
  return load.withDaemon(async (trial) => {
    const ids = [];
    for (let i = 0; i < sizes.sessions; i++) ids.push(await trial.create());
    const books = new Map(ids.map((id) => [id, new LogBook()]));
    const counts = { prompts: 0, kills: 0, decisions: 0, visits: 0, received: 0 };
    const faults = [];
    const state = { trial, random: randomFrom(seed), book: (id) => books.get(id), counts, load };
    /** A failed request is a fault, and the others continue. */
    const keepOn = async (run, signal) => {
      while (!signal.aborted)
        await run(signal).catch(async (error) => {
          faults.push(`a request failed: ${error.message}`);
          await pause(1000, signal);
        });
    };
    const before = await look(trial, load);

    const resting = new AbortController();
    const loading = ended(over, minutes * 60_000);
    setMaxListeners(0, loading, resting.signal);
    const running = [
      ...ids.map((id) => keepOn((signal) => talk(state, id, signal), loading)),
      ...Array.from({ length: sizes.clients }, () => keepOn((signal) => visit(state, ids, signal), loading)),
      keepOn((signal) => killAround(state, signal), loading),
    ];
    const answering = keepOn((signal) => answer(state, signal), resting.signal);
    const samples = await sample(() => look(trial, load), counts, tell.progress, loading);
    await Promise.all(running);

    tell.phase("waiting until every session is at rest");
    faults.push(...(await restless(state, ids)));
    resting.abort();
    await answering;
    tell.phase("comparing what clients were told with what is stored");
    for (const id of ids) {
      await trial.sessions.renameSession({ sessionId: id, title: "at rest" });
      faults.push(
        ...books
          .get(id)
          .faults(await stored(trial, id))
          .map((fault) => `${id}: ${fault}`),
      );
    }
    await gone(() => look(trial, load));
    const after = await look(trial, load);
    const code = await trial.stop();
    if (code !== 0) faults.push(`the daemon ended with ${code}`);
    const rest = {
      before,
      after,
      mostFiles: before.files + SPARE_FILES,
      agents: processesOf(trial.folder).length,
    };
    return { samples, counts, growth: growthOf(samples), rest, faults };
  });
}

/** Aborted after a time, or when another signal is aborted. */
function ended(signal, ms) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), ms);
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    controller.abort();
  });
  return controller.signal;
}

/** Waits for all sessions; those whose agents failed get another prompt. Sessions that do not become idle are faults. */
async function restless(state, ids) {
  const { sessions } = state.trial;
  const deadline = performance.now() + REST_MS;
  const waiting = new Map(ids.map((id) => [id, undefined]));
  while (waiting.size > 0 && performance.now() < deadline) {
    for (const id of [...waiting.keys()]) {
      const { session } = await sessions.getSession({ sessionId: id });
      waiting.set(id, session.status);
      if (session.status === SessionStatus.FAILED)
        await prompt(state, id, "talk 1", `go on ${performance.now()}`);
      if (session.status === SessionStatus.IDLE && session.queuedPrompts === 0) waiting.delete(id);
    }
    await pause(500);
  }
  return [...waiting].map(([id, status]) => `${id} does not come to rest: ${SessionStatus[status]}`);
}

/** All stored events of a session. */
function stored(trial, id) {
  return new Promise((resolve) => {
    const events = [];
    const stop = watch(trial.socketPath, id, (bytes) => {
      const response = decode(bytes);
      for (const event of response.events) events.push(event);
      if (!response.caughtUp) return;
      stop();
      resolve(events);
    });
  });
}

/** Agents without work, their shared processes, and connections of clients that have left end by themselves. */
async function gone(looked) {
  const deadline = performance.now() + REST_MS;
  const isAnyLeft = ({ agents, clients, sharedMegabytes = 0 }) => agents + clients + sharedMegabytes > 0;
  while (isAnyLeft(await looked()) && performance.now() < deadline) await pause(500);
  await pause(1000);
}
