import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { locateAgent } from "../../src/agent/agent.ts";
import { type Agents, createAgentPool, type QueryOptions, query, type SDKMessage } from "../../src/index.ts";
import { AgentPool, type ProcessLimits } from "../../src/pool/agent-pool.ts";

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "agentwire-pool-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

async function newPool(
  sessionsPerProcess?: number,
): Promise<{ readonly pool: Agents; readonly folder: string }> {
  const folder = await newFolder();
  const pool = createAgentPool({ folder, ...(sessionsPerProcess && { sessionsPerProcess }) });
  onTestFinished(() => pool.close());
  return { pool, folder };
}

/** Options of a session with a separate home, whose tools run without asking. */
function optionsIn(folder: string, more: QueryOptions = {}): QueryOptions {
  return {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, OWN: `variable of ${folder}` },
    permissionMode: "bypassPermissions",
    allowDangerouslySkipPermissions: true,
    ...more,
  };
}

const resultOf = async (messages: AsyncIterable<SDKMessage>): Promise<string> => {
  for await (const message of messages)
    if (message.type === "result") return message.subtype === "success" ? message.result : message.subtype;
  return "no result";
};

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const pidsOf = (pool: Agents) => pool.load.map(({ pid }) => pid);

/** The socket files of a pool's processes. */
const socketsIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".sock"));

/** The number of open connections to sessions in this process. */
const openSockets = () => process.getActiveResourcesInfo().filter((name) => name === "PipeWrap").length;

describe("a pool of agents", () => {
  test("runs parallel queries in a few processes, each as if it had one to itself", async () => {
    const { pool } = await newPool();
    const folders = await Promise.all([newFolder(), newFolder(), newFolder()]);
    const results = await Promise.all(
      folders.map((folder) =>
        resultOf(pool.query({ prompt: "run `echo $OWN`", options: optionsIn(folder) })),
      ),
    );
    expect(results.map((text, index) => text.includes(`variable of ${folders[index]}`))).toEqual([
      true,
      true,
      true,
    ]);
    expect(pool.load).toHaveLength(1);
    const environment = readFileSync(`/proc/${pidsOf(pool)[0]}/environ`, "utf8");
    expect(environment).not.toContain("variable of");
  });

  test("starts another process when one is full", async () => {
    const { pool, folder } = await newPool(1);
    const texts = ["run `sleep 0.3; echo one`", "run `sleep 0.3; echo two`"];
    const running = texts.map((prompt) => resultOf(pool.query({ prompt, options: optionsIn(folder) })));
    expect((await Promise.all(running)).map((text) => /one|two/.exec(text)?.[0])).toEqual(["one", "two"]);
    expect(pool.load).toHaveLength(2);
  });

  test("gives a session that can't share its own process, and reports why a session could not begin", async () => {
    const { pool, folder } = await newPool();
    const settings = JSON.stringify({ sandbox: { enabled: true, failIfUnavailable: false } });
    const alone = pool.query({ prompt: "run `echo alone`", options: optionsIn(folder, { settings }) });
    expect(await resultOf(alone)).toContain("alone");
    expect(pool.load.map(({ sessions }) => sessions)).toEqual([0]);
    const nowhere = pool.query({ prompt: "hi", options: optionsIn("/nowhere") });
    await expect(resultOf(nowhere)).rejects.toMatchObject({
      code: "spawn_failed",
      message: 'The folder "/nowhere" to run the agent in does not exist.',
    });
    expect(() => pool.query({ prompt: "hi", options: { executable: "bun" } })).toThrow(
      /the pool chooses the program/,
    );
  });

  test("starts no sessions once it is closed", async () => {
    const { pool, folder } = await newPool();
    await pool.close();
    const late = pool.query({ prompt: "hi", options: optionsIn(folder) });
    await expect(resultOf(late)).rejects.toMatchObject({
      code: "closed",
      message: "The pool of agents is closed.",
    });
  });

  test("loses the sessions of a process that is killed, and continues with another", async () => {
    const before = openSockets();
    const { pool, folder } = await newPool();
    const begun = deferred();
    const follow = async () => {
      for await (const message of pool.query({ prompt: "run `sleep 100`", options: optionsIn(folder) }))
        if (message.type === "assistant") begun.resolve();
    };
    const ended = follow();
    await begun.promise;
    const [pid] = pidsOf(pool);
    process.kill(pid as number, "SIGKILL");
    await expect(ended).rejects.toThrow(/SIGKILL/);
    await expect.poll(openSockets).toBe(before);
    await expect.poll(() => socketsIn(folder)).toEqual([]);
    const later = pool.query({ prompt: "run `echo later`", options: optionsIn(folder) });
    expect(await resultOf(later)).toContain("later");
    expect(pidsOf(pool)).not.toContain(pid);
  });

  test.each([
    ["too old", { oldMs: 0 }],
    ["too large", { largeBytes: 1 }],
  ])(
    "retires a process that is %s: it takes no new sessions, and ends with its last one",
    async (_, limits) => {
      const { start, pool, folder } = await poolWith({ ...limits, retiredMs: 10 });
      const held = deferred();
      async function* prompts() {
        yield userMessage("run `echo first`");
        await held.promise;
      }
      const first = start(prompts(), optionsIn(folder));
      const results = first[Symbol.asyncIterator]();
      for (let next = await results.next(); !next.done; next = await results.next())
        if (next.value.type === "result") break;
      const [old] = pool.load.map(({ pid }) => pid);
      // A process reports its size every second.
      await expect.poll(() => pool.load[0]?.rssBytes, { timeout: 20_000 }).toBeGreaterThan(1);
      expect(await resultOf(start("run `echo second`", optionsIn(folder)))).toContain("second");
      const pids = pool.load.map(({ pid }) => pid);
      expect(pids).toHaveLength(2);
      expect(pids).toContain(old);
      held.resolve();
      expect(await results.next()).toMatchObject({ done: true });
      await expect.poll(() => pool.load.map(({ pid }) => pid), { timeout: 20_000 }).not.toContain(old);
    },
  );
});

const userMessage = (content: string) =>
  ({ type: "user", message: { role: "user", content }, parent_tool_use_id: null }) as const;

/** A pool whose processes reach their limits sooner. */
async function poolWith(limits: Partial<ProcessLimits>) {
  const folder = await newFolder();
  const { path, command } = locateAgent({ isOwn: true, env: {} });
  const pool = new AgentPool({ command, sessionsPerProcess: () => 100, folder, limits });
  onTestFinished(() => pool.close());
  const start = (prompt: Parameters<typeof query>[0]["prompt"], options: QueryOptions) =>
    query({
      prompt,
      options: {
        ...options,
        pathToClaudeCodeExecutable: path,
        spawnClaudeCodeProcess: (wanted) => pool.spawn(wanted),
      },
    });
  return { start, pool, folder };
}
