import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { startAgent, startProgram } from "../agent-process.ts";
import { startLongReply } from "../long-reply.ts";
import { bash, newApi, playing, STUBBORN, UNASKED } from "../model-source.ts";
import { expectNothingLeft, newPlace } from "../place.ts";
import { is, isResult, prompt } from "../wire.ts";

const MB = 1024 * 1024;
const STREAMING = ["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"];

async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

/** Resolves when a number that was 0 has grown, and has then not changed for a while. */
async function settled(value: () => number): Promise<number> {
  for (;;) {
    const before = value();
    await delay(300);
    if (before > 0 && value() === before) return before;
  }
}

describe("a host that stops reading", () => {
  test("makes the model wait instead of filling the agent's memory, and later receives every delta of 200 MB", {
    timeout: 90_000,
  }, async () => {
    const length = { blocks: 60, deltasPerBlock: 3500, delta: "0123456789".repeat(40) };
    const deltas = length.blocks * length.deltasPerBlock;
    const place = await newPlace();
    const api = await startLongReply(length);
    const child = startProgram(place, {
      args: [...STREAMING, "--include-partial-messages", "--no-session-persistence"],
      env: api.env,
    });
    child.stdin.write(`${JSON.stringify(prompt("go"))}\n`);
    const sentWhileNobodyRead = await settled(() => api.sent());
    expect(sentWhileNobodyRead).toBeLessThan(deltas / 4);
    expect(await residentBytes(child.pid)).toBeLessThan(250 * MB);

    let [bytes, seen, results, most] = [0, 0, 0, 0];
    let rest = "";
    const watch = setInterval(async () => {
      most = Math.max(most, await residentBytes(child.pid).catch(() => 0));
    }, 100);
    for await (const chunk of child.stdout.setEncoding("latin1")) {
      bytes += chunk.length;
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line.includes('"text_delta"')) seen++;
        else if (JSON.parse(line).type === "result") {
          results++;
          child.stdin.end();
        }
      }
    }
    clearInterval(watch);
    expect(results).toBe(1);
    expect(seen).toBe(deltas);
    expect(bytes).toBeGreaterThan(200 * MB);
    expect(most).toBeLessThan(600 * MB);
  });

  test("does not prevent SIGTERM from ending the process", { timeout: 30_000 }, async () => {
    const place = await newPlace();
    const api = await startLongReply({ blocks: 1, deltasPerBlock: 100_000, delta: "0123456789" });
    const child = startProgram(place, { args: [...STREAMING, "--include-partial-messages"], env: api.env });
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.stdin.write(`${JSON.stringify(prompt("go"))}\n`);
    await settled(() => api.sent());
    child.kill("SIGTERM");
    const late = delay(5000, "late", { ref: false });
    expect(await Promise.race([exited, late])).toBe(143);
    await expectNothingLeft(place);
  });
});

describe("a host that has closed our stdout", { timeout: 30_000 }, () => {
  test.each([
    {
      phase: "while the model replies",
      steps: [{ text: "word ".repeat(400), chunkSize: 5, chunkDelay: 2 }],
      reached: is("stream_event"),
    },
    { phase: "while a tool runs", steps: [{ content: [bash(STUBBORN)] }], reached: is("assistant") },
  ])("ends the process without an error $phase", async ({ steps, reached }) => {
    const place = await newPlace();
    const api = await newApi({ steps });
    const agent = startAgent(place, { env: api.env, args: [...UNASKED, "--include-partial-messages"] });
    agent.send(prompt("go"));
    await agent.line(reached);
    agent.child.stdout.destroy();
    agent.child.stdin.end();
    const exit = await new Promise((resolve) => agent.child.once("exit", (code) => resolve(code)));
    expect(exit).toBe(1);
    expect(agent.complaints()).not.toMatch(/EPIPE|at .*\.js:\d+/);
    await expectNothingLeft(place);
  });

  test("before the first prompt causes no crash either", async () => {
    const place = await newPlace();
    const agent = startAgent(place, { args: await playing(place, { steps: [{ text: "unheard" }] }) });
    agent.child.stdout.destroy();
    agent.send(prompt("go"));
    agent.child.stdin.end();
    expect((await agent.ended()).signal).toBe(null);
    expect(agent.complaints()).not.toMatch(/EPIPE|at .*\.js:\d+/);
    expect(agent.lines.filter(isResult)).toEqual([]);
  });
});
