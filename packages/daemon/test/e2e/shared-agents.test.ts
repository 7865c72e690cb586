import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Event } from "@agentwire/api";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { stutter } from "../../../../test/stutter.ts";
import { openBench, type Talk, type Turn } from "./daemon-bench.ts";

/** Begins a turn, and resolves when it waits for an answer. */
async function begin({ sessions }: Talk, sessionId: string): Promise<AsyncIterator<Event>> {
  const { seq } = await sessions.sendPrompt({ sessionId, text: "run `touch made`" });
  const events = eventsOf(sessions.watch({ sessionId, afterSeq: seq }));
  await until(events, ({ body }) => body.case === "permissionAsked");
  return events;
}

async function* eventsOf(pages: AsyncIterable<{ readonly events: readonly Event[] }>): AsyncGenerator<Event> {
  for await (const page of pages) yield* page.events;
}

/** All events up to and including a given one. */
async function until(
  events: AsyncIterator<Event>,
  isIt: (event: Event) => boolean,
): Promise<readonly Event[]> {
  const seen: Event[] = [];
  for (;;) {
    const { value, done } = await events.next();
    if (done) throw new Error(`it never came: ${seen.map(({ body }) => body.case)}`);
    seen.push(value);
    if (isIt(value)) return seen;
  }
}

const textsOf = (turn: Turn) => turn.of("toolCallResult").map(({ text }) => text);

const pidsOf = ({ running }: Talk) => running.daemon.agents.shared.load.map(({ pid }) => pid as number);

describe("sessions that share a process", { timeout: 60_000 }, () => {
  test("run in parallel and resume if the process is killed; one that was running in two such gets its own process", async () => {
    const bench = openBench();
    const talk = await bench.open({ agents: [{ name: "agentwire", sessionsPerProcess: 10 }] });
    const { shared } = talk.running.daemon.agents;
    const [busy, idle] = [await talk.create(), await talk.create()];
    const said = await talk.turn(idle, "run `echo remember`");
    expect(textsOf(said)).toEqual(["remember"]);
    const events = await begin(talk, busy);
    expect(shared.load).toMatchObject([{ sessions: 2 }]);
    const [first] = pidsOf(talk);
    process.kill(first as number, "SIGKILL");
    const lost = await until(events, ({ body }) => body.case === "promptChange" && body.value.cutOff);
    expect(lost.flatMap(({ body }) => (body.case === "error" ? [body.value.code] : []))).toEqual(["killed"]);
    // The idle session lost nothing.
    const after = await talk.turn(idle, "run `echo again`");
    expect(textsOf(after)).toEqual(["again"]);
    expect(after.of("error")).toEqual([]);
    const [second] = pidsOf(talk);
    expect(second).not.toBe(first);
    await begin(talk, busy);
    expect(shared.load).toMatchObject([{ sessions: 2 }]);
    process.kill(second as number, "SIGKILL");
    await talk.turn(idle, "run `echo once more`");
    await begin(talk, busy);
    expect(shared.load).toMatchObject([{ sessions: 1 }]);
    await talk.running.stop();
    expect(readdirSync(join(bench.folder, "state", "agents"))).toEqual([]);
  });

  test("are listed with their process in health, which reports a slow process", async () => {
    const talk = await openBench().open({ agents: [{ name: "agentwire", sessionsPerProcess: 10 }] });
    await talk.turn(await talk.create(), "run `echo first`");
    await talk.turn(await talk.create(), "run `echo second`");
    const [pid] = pidsOf(talk) as [number];
    const shown = async () => (await talk.health.healthDetails({})).sharedProcesses;
    await vi.waitFor(async () => {
      const [process] = await shown();
      expect(process).toMatchObject({ pid, sessions: 2, slow: false });
      expect(Number(process?.memoryBytes)).toBeGreaterThan(20_000_000);
      expect(Number(process?.largestSessionBytes)).toBeGreaterThan(0);
    }, 20_000);
    onTestFinished(stutter(pid));
    await vi.waitFor(async () => {
      const [process] = await shown();
      expect(process).toMatchObject({ pid, slow: true });
      expect(process?.eventLoopDelayMs).toBeGreaterThan(500);
    }, 20_000);
  });

  test("recover from a process whose event loop is blocked: it is killed", async () => {
    const agent = { name: "agentwire", sessionsPerProcess: 10, processLimits: { stuckMs: 4000 } };
    const talk = await openBench().open({ agents: [agent] });
    const [busy, idle] = [await talk.create(), await talk.create()];
    await talk.turn(idle, "run `echo remember`");
    const events = await begin(talk, busy);
    const [blocked] = pidsOf(talk);
    // A stopped process is as silent as one in an endless loop.
    process.kill(blocked as number, "SIGSTOP");
    const lost = await until(events, ({ body }) => body.case === "promptChange" && body.value.cutOff);
    expect(lost.flatMap(({ body }) => (body.case === "error" ? [body.value.code] : []))).toEqual(["killed"]);
    const after = await talk.turn(idle, "run `echo again`");
    expect(textsOf(after)).toEqual(["again"]);
    expect(pidsOf(talk)).not.toContain(blocked);
  });
});
