import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openLink } from "../../src/link/agent-link.ts";
import type { Link } from "../../src/link/link.ts";
import { hostProgram } from "../programs/host-program.ts";
import { freshFolder, linkTo, PROMPT, SHORT, shellAgent, timed, typesOf } from "../programs/shell-agent.ts";
import { leftOver, marked } from "./processes.ts";

/** The process may have ended by itself in the meantime. */
function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {}
}

/** An environment that marks all the processes that a test starts. */
function markedEnv() {
  const mark = `AGENTWIRE_TEST_${randomUUID()}`;
  onTestFinished(() => {
    for (const pid of marked(mark)) kill(pid);
  });
  return { mark, env: { PATH: process.env.PATH, MARK: mark } };
}

/** A shell that ignores TERM, and then writes a line. */
const IGNORES_TERM = `sh -c "trap '' TERM HUP; echo '{\\"type\\":\\"keep_alive\\"}'; while :; do sleep 1; done"`;

/** Reads until this many messages of a type have arrived. */
async function until(link: Link, type: string, count = 1): Promise<void> {
  for (let seen = 0; seen < count && (await link.messages.ready()); )
    if (link.messages.take()?.type === type) seen++;
}

describe("a process that an agent leaves behind", { timeout: 30_000 }, () => {
  test.each([
    ["in its group", IGNORES_TERM],
    ["in a group of its own", `setsid ${IGNORES_TERM}`],
  ])("is ended with the agent, even if it forks and ignores TERM, %s", async (_where, tool) => {
    const { mark, env } = markedEnv();
    const link = linkTo(`next; init; tool; ${tool} & ${tool} & wait`, { env });
    link.send(PROMPT);
    await until(link, "keep_alive", 2);
    expect(marked(mark).length).toBeGreaterThanOrEqual(3);
    const { value, ms } = await timed(() => link.close());
    expect(value).not.toHaveProperty("error");
    expect(ms).toBeLessThan(5000);
    expect(await leftOver(mark, 2000)).toEqual([]);
  });

  test.each([
    ["in its group", IGNORES_TERM],
    ["in a group of its own", `setsid ${IGNORES_TERM}`],
  ])("does not delay the agent's end by holding its output open, %s", async (where, tool) => {
    const { mark, env } = markedEnv();
    const link = linkTo(`next; init; ${tool} & next; result; exit 0`, { env });
    link.send(PROMPT);
    await until(link, "keep_alive");
    link.send(PROMPT);
    const { value, ms } = await timed(() => typesOf(link));
    expect(value).toEqual(["result"]);
    expect(await link.ended).not.toHaveProperty("error");
    expect(ms).toBeLessThan(5000);
    // A process that has left the group is no longer ours to end; an agent that does this ends it itself.
    if (where === "in its group") expect(await leftOver(mark, 2000)).toEqual([]);
  });
});

test.each([
  ["continuously", `yes '{"type":"keep_alive"}'`],
  ["occasionally", `sh -c "while echo '{\\"type\\":\\"keep_alive\\"}'; do sleep 0.1; done"`],
])(
  "a process that has left the group does not delay the end by writing %s",
  { timeout: 30_000 },
  async (_, writes) => {
    const { env } = markedEnv();
    const link = linkTo(`next; init; setsid ${writes} & next; result; exit 0`, { env });
    link.send(PROMPT);
    await until(link, "keep_alive");
    link.send(PROMPT);
    const { value, ms } = await timed(() => typesOf(link));
    expect(value.filter((type) => type !== "keep_alive")).toEqual(["result"]);
    expect(await link.ended).not.toHaveProperty("error");
    expect(ms).toBeLessThan(8000);
  },
);

test("an agent that is closed may still write messages and clean up", { timeout: 30_000 }, async () => {
  const cwd = freshFolder();
  const link = linkTo("next; init; cat >/dev/null; text; sleep 0.1; text; sleep 0.1; text; touch saved", {
    cwd,
    deadlines: { closeMs: 10_000 },
  });
  link.send(PROMPT);
  await link.messages.ready();
  expect(await link.close()).toMatchObject({ exitCode: 0 });
  expect(existsSync(join(cwd, "saved"))).toBe(true);
});

describe("a host", { timeout: 30_000 }, () => {
  test("that is killed with -9 takes its agents with it", async () => {
    const { mark, env } = markedEnv();
    const host = await startHost(env);
    expect(marked(mark).length).toBeGreaterThanOrEqual(3);
    host.kill("SIGKILL");
    await once(host, "exit");
    expect(await leftOver(mark, 8000)).toEqual([]);
  });

  test("that exits without closing takes its agents with it", async () => {
    const { mark, env } = markedEnv();
    const host = await startHost(env);
    host.stdin?.end("exit\n");
    await once(host, "exit");
    expect(await leftOver(mark, 8000)).toEqual([]);
  });
});

const WAYS = [
  { script: "init; result; exit 0", speaks: true },
  { script: "init; exit 3", speaks: true },
  { script: "init; kill -s KILL $$", speaks: true },
  { script: "init; trap '' TERM; while :; do sleep 1; done", speaks: true },
  { script: "init; sleep 60 & sleep 60", speaks: true },
  { script: "exec sleep 60", speaks: false },
  { script: "trap '' TERM; kill -s STOP $$", speaks: false },
  { script: "exec 0<&- 1>&- 2>&-; sleep 60", speaks: false },
  { script: "init; cat", speaks: true },
  { script: "exit 0", speaks: false },
];

test("300 agents that end in various ways leave no process, guard or listener", {
  timeout: 60_000,
}, async () => {
  const { mark, env } = markedEnv();
  const listeners = process.listenerCount("exit");
  for (let cycle = 0; cycle < 300; cycle += WAYS.length) {
    const deadlines = { ...SHORT, closeMs: 5, terminateMs: 50 };
    await Promise.all(
      WAYS.map(async ({ script, speaks }) => {
        const link = openLink({ ...shellAgent(`next; ${script}`), env, deadlines }, {});
        link.send(PROMPT);
        if (speaks) await link.messages.ready();
        await link.close();
      }),
    );
  }
  expect(await leftOver(mark, 2000)).toEqual([]);
  // A process is gone a moment before its host is notified.
  await vi.waitFor(() => expect(process.listenerCount("exit")).toBe(listeners), { timeout: 5000 });
});

/** Runs a host in a separate process with two agents, one of which ignores TERM; resolves when both are ready. */
async function startHost(env: Readonly<Record<string, string | undefined>>): Promise<ChildProcess> {
  const agents = [
    shellAgent("init; trap '' TERM; while :; do sleep 1; done"),
    shellAgent(`init; ${IGNORES_TERM} & wait`),
  ];
  const program = await hostProgram(
    `for (const agent of ${JSON.stringify(agents)})
       await openLink({ ...agent, env: process.env }, {}).messages.ready();
     process.stdout.write("ready\\n");
     process.stdin.once("data", () => process.exit(0));`,
  );
  const host = spawn(process.execPath, [program], { env, stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void host.kill("SIGKILL"));
  await once(host.stdout, "data");
  return host;
}
