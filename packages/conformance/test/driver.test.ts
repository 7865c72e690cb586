import { describe, expect, test } from "vitest";
import { AgentDriver } from "../src/agent-driver/driver.ts";
import { agentEnvironment } from "../src/agent-driver/environment.ts";
import { processesIn } from "../src/agent-driver/left-over.ts";
import { startFakeAgent } from "./fake-agent.ts";

const ECHO = `onLine((line) => {
  if (line.type === "user") say({ type: "result", text: line.message.content });
  if (line.type === "control_request") say({ type: "control_response", response: { request_id: line.request_id, response: { n: 1 } } });
});`;

describe("a driver", () => {
  test("holds a conversation and records both sides of it in order", async () => {
    await using fake = await startFakeAgent(ECHO);
    const { agent } = fake;
    expect(await agent.turn("hi")).toEqual({ type: "result", text: "hi" });
    expect(await agent.ask({ subtype: "x" })).toEqual({ n: 1 });
    await agent.close();
    expect(agent.exits).toEqual([0]);
    const seen = agent.transcript.map(({ dir, eof, line }) =>
      eof ? "eof" : `${dir} ${(line as { type: string }).type}`,
    );
    expect(seen).toEqual(["in user", "out result", "in control_request", "out control_response", "eof"]);
    const times = agent.transcript.map(({ t }) => t);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test("returns lines one after the other, or any line from the start", async () => {
    await using fake = await startFakeAgent(
      `for (const n of [1, 2, 3]) say({ type: "result", n }); onLine(() => {});`,
    );
    const { agent } = fake;
    expect(await agent.until({ n: 2 })).toMatchObject({ n: 2 });
    expect(await agent.result()).toMatchObject({ n: 3 });
    expect(await agent.result({ fromStart: true })).toMatchObject({ n: 1 });
    expect(await agent.resultWithin(5000)).toBe(true);
  });

  test("answers the agent's requests and counts them", async () => {
    await using fake = await startFakeAgent(`
      say({ type: "control_request", request_id: "r1", request: { subtype: "ask" } });
      onLine((line) => say({ type: "result", got: line.response }));`);
    const { agent } = fake;
    const asked = agent.on({ type: "control_request" }, (line) => agent.answer(line, { yes: true }));
    const result = await agent.result();
    expect(result.got).toEqual({ subtype: "success", request_id: "r1", response: { yes: true } });
    expect(asked.count).toBe(1);
  });

  test("restarts the agent with additional flags", async () => {
    await using fake = await startFakeAgent(
      `say({ type: "result", args: process.argv.slice(2) }); onLine(() => {});`,
    );
    const { agent } = fake;
    await agent.result();
    await agent.close();
    agent.start(["--resume"]);
    expect(await agent.result()).toMatchObject({ args: ["--resume"] });
    await agent.close();
    expect(agent.exits).toEqual([0, 0]);
    expect(agent.transcript.map(({ p }) => p)).toEqual([undefined, undefined, 2, 2]);
  });
});

describe("an agent", () => {
  test("that never answers fails at the deadline", async () => {
    await using fake = await startFakeAgent("onLine(() => {});");
    await expect(fake.agent.result({ withinMs: 50 })).rejects.toThrow("0.05 s passed without a result");
  });

  test("that dies ends every wait with its exit code and its stderr", async () => {
    await using fake = await startFakeAgent(`console.error("oh no"); process.exit(7);`);
    await expect(fake.agent.result()).rejects.toThrow("the agent ended (7) before a result");
    await expect(fake.agent.result()).rejects.toThrow("the agent ended (7)");
    expect(fake.agent.stderr).toBe("oh no\n");
    expect(fake.agent.alive).toBe(false);
  });

  test("that is killed by a signal has an exit code above 128", async () => {
    await using fake = await startFakeAgent(`say({ type: "ready" }); onLine(() => {});`);
    await fake.agent.until({ type: "ready" });
    fake.agent.signal("SIGTERM");
    expect(await fake.agent.gone(5000)).toBe(true);
    expect(fake.agent.exits).toEqual([143]);
  });

  test("that does not exist counts as an exit with a reason", async () => {
    await using fake = await startFakeAgent("");
    const agent = new AgentDriver({
      command: ["/no/such/agent"],
      args: [],
      cwd: fake.sandbox.cwd,
      env: {},
      signal: new AbortController().signal,
    });
    agent.start();
    await expect(agent.result()).rejects.toThrow(/cannot start: .*ENOENT/);
    expect(agent.stderr).toMatch(/ENOENT/);
  });

  test("that writes noise is recorded, and its messages are still found", async () => {
    await using fake = await startFakeAgent(`
      say("debug: starting"); say(""); say("null"); say("[1]"); say("{\\"a\\":".repeat(5000) + "1" + "}".repeat(5000));
      say("{\\"type\\":\\"result\\",\\"text\\":\\"a\\u2028b\\"}");
      onLine(() => {});`);
    expect(await fake.agent.result()).toMatchObject({ text: "a\u2028b" });
    expect(fake.agent.transcript.map(({ raw = false, unescaped = false }) => [raw, unescaped])).toEqual([
      [true, false],
      [false, false],
      [false, false],
      [true, false],
      [false, true],
    ]);
  });

  test("that writes endlessly is stopped", async () => {
    await using fake = await startFakeAgent(`
      const flood = () => { say("{}\\n".repeat(1000)); setImmediate(flood); };
      flood();`);
    await expect(fake.agent.result()).rejects.toThrow(/wrote more than \d+ lines|ended/);
    expect(await fake.agent.gone(5000)).toBe(true);
    expect(fake.agent.problem).toMatch(/wrote more than/);
  });

  test("that ignores the end of its input is killed", async () => {
    await using fake = await startFakeAgent(`process.stdin.resume(); setInterval(() => {}, 1000);`);
    await fake.agent.close(100);
    expect(fake.agent.exits).toEqual([137]);
    expect(fake.agent.problem).toBe("the agent was still running 0.1 s after its stdin was closed");
  });

  test("is stopped and every wait ends when the scenario is aborted", async () => {
    await using fake = await startFakeAgent("onLine(() => {});");
    const waiting = fake.agent.result();
    const pausing = fake.agent.pause(60_000);
    fake.abort("time is up");
    await expect(waiting).rejects.toThrow("time is up before a result");
    await expect(pausing).rejects.toThrow();
    await fake.agent.dispose();
    expect(fake.agent.exits).toEqual([137]);
  });
});

test("no process that an agent started outlives the driver", async () => {
  await using fake = await startFakeAgent(`
    import { spawn } from "node:child_process";
    const child = spawn("sleep", ["300"], { detached: true, stdio: "ignore" });
    child.once("spawn", () => say({ type: "ready" }));
    onLine(() => {}).on("close", () => process.exit(0));`);
  await fake.agent.until({ type: "ready" });
  expect(fake.agent.commandsRunning("sleep 300")).toBe(1);
  await fake.agent.close();
  expect(await fake.agent.dispose()).toEqual(["sleep 300"]);
  expect(processesIn(fake.sandbox.cwd)).toEqual([]);
});

test("an agent gets a dummy key, and no variables that may contain a real one", () => {
  const inherited = {
    PATH: "/bin",
    ANTHROPIC_API_KEY: "real",
    ANTHROPIC_AUTH_TOKEN: "real",
    AWS_SECRET: "real",
  };
  const env = agentEnvironment(
    inherited,
    { home: "/h", tmp: "/t", apiUrl: "http://127.0.0.1:1" },
    { EXTRA: "1" },
  );
  expect(env).toMatchObject({
    PATH: "/bin",
    HOME: "/h",
    ANTHROPIC_BASE_URL: "http://127.0.0.1:1",
    EXTRA: "1",
  });
  expect(Object.values(env)).not.toContain("real");
});
