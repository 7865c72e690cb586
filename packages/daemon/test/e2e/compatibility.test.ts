import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CompatibilityLevel, HealthStatus, SessionStatus } from "@agentwire/api";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { openBench, scriptedAgent, type Talk } from "./daemon-bench.ts";

const say = (line: JsonObject) => ({ say: line });
const INIT = {
  type: "system",
  subtype: "init",
  session_id: "3f0b7f4a-8f5e-4bb0-9a1c-0a7d7f3b2c11",
  tools: ["Bash", "Read"],
  model: "m",
  cwd: "/",
  mcp_servers: [],
  permissionMode: "default",
  slash_commands: [],
  uuid: "u",
};
const RESULT = {
  type: "result",
  subtype: "success",
  is_error: false,
  result: "ok",
  session_id: INIT.session_id,
};
/** A script in which one turn prints these lines between its first and last message. */
const turnWith = (...lines: readonly JsonObject[]) => [
  { hear: { type: "user" } },
  say(INIT),
  ...lines.map(say),
  say(RESULT),
];
/** An assistant message with a wrong shape. */
const UNREADABLE = { type: "assistant", message: "not an object" };

const TESTED = "2.1.325 (Claude Code)";
const ABOVE = "9.8.7 (Claude Code)";

const metricsOf = async ({ running: { addresses, token } }: Talk) => {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${addresses[1]}/metrics`, { headers })).text();
};

describe("at startup, the daemon", () => {
  test.each([
    ["is missing at its path", "/nowhere/claude", undefined, 72, "No agent found at"],
    // A file of that name exists in the folder where the tests run.
    ["is not on PATH", "package.json", undefined, 72, "package.json CLI not found in PATH"],
    ["is not found anywhere", "no-such-agent", undefined, 72, "no-such-agent CLI not found in PATH"],
    [
      "is older than the minimum",
      undefined,
      "claude v1.0.10 (anthropic-2024-12-01)",
      78,
      "Claude Code v1.0.10 < required v1.0.22",
    ],
  ])(
    "exits when its agent %s",
    async (_, path, version, exitCode, message) => {
      const bench = openBench();
      const agent =
        version === undefined ? { name: "fake", path: path ?? "" } : scriptedAgent(bench, version, []);
      await expect(bench.open({ agents: [agent] })).rejects.toMatchObject({
        name: "AgentUnusable",
        exitCode,
        message: expect.stringContaining(message),
      });
      expect(bench.logged).toContainEqual(
        `error: ${message.startsWith("No agent") ? `No agent found at ${JSON.stringify(path)}: give the path of one.` : message}`,
      );
      // The failed start leaves nothing behind.
      await bench.open();
    },
    60_000,
  );

  test.each([
    [
      "within the tested range",
      TESTED,
      CompatibilityLevel.FULLY_COMPATIBLE,
      "info: Claude Code v2.1.325 detected (compatible)",
      "",
    ],
    [
      "above the tested range",
      ABOVE,
      CompatibilityLevel.LIKELY_COMPATIBLE,
      "warn: Claude Code v9.8.7 > tested v2.1.x, may have breaking changes",
      "Starting daemon in LIKELY_COMPATIBLE mode...",
    ],
    [
      "that cannot be parsed",
      "Segmentation fault",
      CompatibilityLevel.COMPATIBILITY_UNKNOWN,
      'warn: Claude Code version not understood: "Segmentation fault\\n", treated as the newest',
      "",
    ],
  ])(
    "continues with an agent version %s, and reports it",
    async (_, version, level, logged, notice) => {
      const bench = openBench();
      const talk = await bench.open({ agents: [scriptedAgent(bench, version, [])] });
      expect(bench.logged).toContain(logged);
      expect(talk.running.notice).toContain(notice);
      const { status, claudeCode } = await talk.health.healthDetails({});
      expect(status).toBe(HealthStatus.SERVING);
      expect(claudeCode).toMatchObject({ level, message: logged.replace(/^\w+: /, "") });
    },
    60_000,
  );

  test.each([
    [
      "whose interpreter is missing",
      "#!/nowhere/interpreter",
      "the interpreter named in its first line does not",
    ],
    ["whose runtime is missing", '#!/bin/sh\nexec no-such-runtime "$0"', "it exited with code 127: "],
  ])("exits with code 72 and the reason for an agent %s", async (_, script, reason) => {
    const bench = openBench();
    const path = join(bench.folder, "broken");
    writeFileSync(path, `${script}\n`, { mode: 0o755 });
    await expect(bench.open({ agents: [{ name: "broken", path }] })).rejects.toMatchObject({
      name: "AgentUnusable",
      exitCode: 72,
      message: expect.stringContaining(reason),
    });
  });

  test.each([
    ["exits with an error", 'echo "no license" >&2; exit 1', "it exited with code 1: no license"],
    ["does not answer", "exec sleep 60", "it did not answer --version within 5000 ms"],
  ])("is degraded by a default agent that %s when asked for its version", async (_, script, reason) => {
    const bench = openBench();
    const path = join(bench.folder, "failing");
    writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const talk = await bench.open({ agents: [{ name: "failing", path }] });
    const { status, claudeCode } = await talk.health.healthDetails({});
    expect(status).toBe(HealthStatus.SERVING_DEGRADED);
    expect(claudeCode).toMatchObject({
      level: CompatibilityLevel.COMPATIBILITY_UNKNOWN,
      message: `Claude Code did not report its version: ${reason}`,
    });
    expect(bench.logged).toContain(`error: Claude Code did not report its version: ${reason}`);
  });

  test("is degraded for as long as its default agent is missing or too old", async () => {
    const bench = openBench();
    const agent = scriptedAgent(bench, TESTED, []);
    const talk = await bench.open({ agents: [agent] });
    const look = async () => {
      const { status, claudeCode } = await talk.health.healthDetails({});
      return [status, claudeCode?.level];
    };
    const well = [HealthStatus.SERVING, CompatibilityLevel.FULLY_COMPATIBLE];
    const unusable = [HealthStatus.SERVING_DEGRADED, CompatibilityLevel.INCOMPATIBLE];
    expect(await look()).toEqual(well);
    rmSync(agent.path ?? "");
    await expect.poll(look, { timeout: 20_000 }).toEqual(unusable);
    expect(await metricsOf(talk)).toContain('agentwire_compatibility_level{agent="fake"} 4');
    scriptedAgent(bench, TESTED, []);
    await expect.poll(look, { timeout: 20_000 }).toEqual(well);
    scriptedAgent(bench, "1.0.10 (Claude Code)", []);
    await expect.poll(look, { timeout: 20_000 }).toEqual(unusable);
    expect((await talk.health.healthDetails({})).claudeCode?.message).toBe(
      "Claude Code v1.0.10 < required v1.0.22",
    );
  });

  test("asks an agent for its version again when its file has changed", async () => {
    const bench = openBench();
    const talk = await bench.open({ agents: [scriptedAgent(bench, TESTED, [])] });
    scriptedAgent(bench, ABOVE, []);
    const version = async () => (await talk.health.healthDetails({})).claudeCode?.version;
    await expect.poll(version, { timeout: 20_000 }).toBe("9.8.7");
  }, 60_000);
});

describe("an agent that sends unknown messages", () => {
  test("has them passed on, and is degraded by the tenth", async () => {
    const bench = openBench();
    const news = Array.from({ length: 12 }, (_, i) => ({ type: `news_${i % 3}`, n: i }));
    const talk = await bench.open({ agents: [scriptedAgent(bench, TESTED, turnWith(...news))] });
    const id = await talk.create();
    const turn = await talk.turn(id, "hello");
    expect(turn.of("rawMessage").map(({ json }) => JSON.parse(json))).toEqual(news);
    expect(turn.of("turnComplete")).toHaveLength(1);
    const told = bench.logged.filter((text) => text.includes("Received 10+ unknown message types"));
    // Once for the session and once for the daemon.
    expect(told).toHaveLength(2);
    const named = bench.loggedOf(id).filter((text) => text.includes("of the unknown type"));
    expect(named).toHaveLength(12);
    expect(named.at(-1)).toBe("warn: a message of the unknown type 'news_2', 12 of unknown types so far");
    const health = await talk.health.healthDetails({});
    expect(health.status).toBe(HealthStatus.SERVING_DEGRADED);
    expect(health.claudeCode?.level).toBe(CompatibilityLevel.DEGRADED);
    expect(health.degradation).toMatchObject({
      unknownMessages: 12n,
      unknownTypes: ["news_0", "news_1", "news_2"],
    });
    const { session } = await talk.sessions.getSession({ sessionId: id });
    expect(session?.degradation?.unknownMessages).toBe(12n);
  }, 60_000);
});

describe("an unreadable message", () => {
  test("from a tested version fails the session but not the daemon", async () => {
    const bench = openBench();
    const talk = await bench.open({ agents: [scriptedAgent(bench, TESTED, turnWith(UNREADABLE))] });
    const id = await talk.create();
    const turn = await talk.turn(id, "hello");
    expect(turn.of("error")).toMatchObject([
      {
        code: "unreadable_message",
        fatal: true,
        message: expect.stringContaining("Parse error for known type 'assistant'"),
      },
    ]);
    expect(turn.of("statusChange").at(-1)?.status).toBe(SessionStatus.FAILED);
    const { degradation, status } = await talk.health.healthDetails({});
    expect(degradation?.parseErrorsFatal).toBe(1n);
    expect(status).toBe(HealthStatus.SERVING_DEGRADED);
    // The failure concerns one session only: the next prompt tries again.
    expect((await talk.turn(id, "again")).of("error")).toHaveLength(1);
  }, 60_000);

  test("from an untested version is counted and skipped", async () => {
    const bench = openBench();
    const talk = await bench.open({ agents: [scriptedAgent(bench, ABOVE, turnWith(UNREADABLE))] });
    const turn = await talk.turn(await talk.create(), "hello");
    expect(turn.of("error")).toEqual([]);
    expect(turn.of("turnComplete")).toHaveLength(1);
    expect(bench.logged).toContainEqual(
      expect.stringContaining("Running in tolerant mode due to untested Claude Code version."),
    );
    expect((await talk.health.healthDetails({})).degradation?.parseErrorsTolerated).toBe(1n);
  }, 60_000);

  test("counts as noise if it is not a message at all", async () => {
    const bench = openBench();
    const steps = [...turnWith().slice(0, 2), { write: "Warning: something\n" }, say(RESULT)];
    const talk = await bench.open({ agents: [scriptedAgent(bench, TESTED, steps)] });
    const id = await talk.create();
    const turn = await talk.turn(id, "hello");
    expect(turn.of("turnComplete")).toHaveLength(1);
    const { status, degradation } = await talk.health.healthDetails({});
    expect(status).toBe(HealthStatus.SERVING);
    expect(degradation?.noiseLines).toBe(1n);
    const { session } = await talk.sessions.getSession({ sessionId: id });
    expect(session?.degradation?.noiseLines).toBe(1n);
    expect(bench.loggedOf(id)).toContainEqual(
      expect.stringMatching(/not a message: .*, 1 such lines so far$/),
    );
    expect(await metricsOf(talk)).toContain('agentwire_noise_lines_total{agent="fake"} 1');
  }, 60_000);
});

describe("the init message", () => {
  const initWith = (changes: JsonObject) => [
    { hear: { type: "user" } },
    say({ ...INIT, ...changes }),
    say(RESULT),
  ];

  test.each([
    ["no Bash", { tools: ["Read"] }, ["Bash tool"]],
    ["no schemas", { tools: [{ name: "Bash", description: "d" }] }, ["Tool input schemas"]],
    ["only names, as current versions send", { tools: ["Bash"] }, []],
  ])(
    "with %s reports what is missing",
    async (_, changes, missing) => {
      const bench = openBench();
      const version =
        Array.isArray(changes.tools) && typeof changes.tools[0] === "object" ? "1.0.128" : TESTED;
      const talk = await bench.open({ agents: [scriptedAgent(bench, version, initWith(changes))] });
      await talk.turn(await talk.create(), "hello");
      const { degradation, claudeCode } = await talk.health.healthDetails({});
      expect(degradation?.missingFeatures).toEqual(missing);
      expect(claudeCode).toMatchObject(
        missing.length > 0
          ? {
              level: CompatibilityLevel.DEGRADED,
              message: expect.stringMatching(
                new RegExp(`detected \\(degraded: missing: ${missing.join(", ")}\\)$`),
              ),
            }
          : { level: CompatibilityLevel.FULLY_COMPATIBLE, message: expect.stringMatching(/\(compatible\)$/) },
      );
    },
    60_000,
  );

  test("of an untested version lists its new features, and the notice repeats them", async () => {
    const bench = openBench();
    const steps = initWith({ capabilities: ["interrupt_receipt_v1", "context_window_info"] });
    const talk = await bench.open({ agents: [scriptedAgent(bench, ABOVE, steps)] });
    const notice = async () => (await talk.health.healthDetails({})).agents[0]?.notice;
    expect(talk.running.notice).toContain("  - New features available: known after its first session\n");
    expect(talk.running.notice).toContain("\nDocumentation: docs/guides/daemon.md#versions-of-agents\n");
    await talk.turn(await talk.create(), "hello");
    expect(await notice()).toContain("  - New features available: context_window_info\n");
    expect(
      bench.logged.filter((text) => text.includes("New features available: context_window_info")),
    ).toHaveLength(1);
  }, 60_000);

  test("with another version than the program's is reported in health", async () => {
    const bench = openBench();
    const steps = initWith({ claude_code_version: "2.0.1" });
    const talk = await bench.open({ agents: [scriptedAgent(bench, TESTED, steps)] });
    await talk.turn(await talk.create(), "hello");
    expect((await talk.health.healthDetails({})).claudeCode?.message).toContain("its sessions report v2.0.1");
  }, 60_000);
});

test("agents other than the default may be missing, and health reports them", async () => {
  const bench = openBench();
  writeFileSync(join(bench.folder, "not-runnable"), "");
  const agents = [{ name: "agentwire" }, { name: "other", path: join(bench.folder, "not-runnable") }];
  const talk = await bench.open({ agents });
  const other = async () => (await talk.health.healthDetails({})).agents[1]?.claudeCode;
  await expect
    .poll(async () => (await other())?.level, { timeout: 20_000 })
    .toBe(CompatibilityLevel.INCOMPATIBLE);
  const { claudeCode, status } = await talk.health.healthDetails({});
  expect(status).toBe(HealthStatus.SERVING);
  expect(claudeCode).toMatchObject({
    version: "2.1.325",
    message: "agentwire-agent v2.1.325 detected (compatible)",
  });
}, 60_000);
