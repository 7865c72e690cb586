import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Event, follow, SessionStatus } from "@agentwire/api";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { newDatabase } from "../../../daemon/test/postgres/database.ts";
import { type Client, clientAt } from "../../src/talk/client.ts";
import { isFinal } from "../../src/talk/rpc-error.ts";
import { Home } from "./home.ts";

const AGENT = fileURLToPath(new URL("../../../agent/bin/agentwire-agent", import.meta.url));
/** Enough for a busy machine. */
const WAIT = { timeout: 60_000, interval: 50 };

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.end());

test("a daemon migrates to a database and becomes a node, and doctor checks the server", async () => {
  const url = await newDatabase();
  expect((await home.run(["daemon", "start"])).code).toBe(0);
  expect((await home.run(["run", "hello"])).code).toBe(0);
  expect((await home.run(["nodes"])).stdout).toMatch(/^ID +NAME .*\n- +\S+ \(this one\) +up +- +\d+\/20 +1 /);
  const early = await home.run(["daemon", "migrate", "--to", url]);
  expect(early.code).not.toBe(0);
  expect(early.stderr).toContain("agentwire daemon stop");
  expect((await home.run(["daemon", "stop"])).code).toBe(0);
  const moved = await home.run(["daemon", "migrate", "--to", url]);
  expect(moved.stdout).toMatch(/^1 sessions? with \d+ events and everything else are now in postgres:/);
  expect((await home.run(["daemon", "start", "--store", url])).code).toBe(0);
  const listed = await home.run(["nodes", "--json"]);
  expect(JSON.parse(listed.stdout)).toMatchObject({ nodes: [{ alive: true, self: true, sessions: 1 }] });
  expect((await home.run(["sessions"])).stdout).toContain("hello");
  expect((await home.run(["audit", "verify"])).stdout).toMatch(/^All \d+ entries are intact/);
  expect((await home.run(["daemon", "drain"])).stdout).toContain("0 have moved to other nodes");
  const checked = await home.run(["doctor"], "", { AGENTWIRE_STORE: url });
  expect(checked.stdout).toMatch(/ok +server: PostgreSQL 1\d[^\n]* ms away, no standby/);
  const wrong = await home.run(["doctor"], "", { AGENTWIRE_STORE: "postgres://x:secret@127.0.0.1:1/none" });
  expect(wrong.stdout).toMatch(/problem +server: .*can't be reached/);
  expect(wrong.stdout).not.toContain("secret");
}, 120_000);

/** A node of a cluster on this machine, as a process. */
class ClusterNode {
  readonly name: string;
  readonly folder: string;

  constructor(name: string) {
    this.name = name;
    this.folder = join(home.folder, name);
  }

  get env() {
    return { AGENTWIRE_HOME: this.folder };
  }

  async start(storeUrl: string): Promise<void> {
    const agents = { slow: { path: AGENT, env: { AGENTWIRE_SCRIPT: join(home.folder, "slow.json") } } };
    const cluster = { name: this.name, shared_folders: [home.project] };
    const daemon = { spare_processes: 0, trusted_folders: [home.folder] };
    mkdirSync(this.folder, { mode: 0o700 });
    writeFileSync(
      join(this.folder, "settings.json"),
      JSON.stringify({ store: { url: storeUrl }, cluster, daemon, agents }),
    );
    const started = await home.run(["daemon", "start", "--port", "0"], "", this.env);
    if (started.code !== 0) throw new Error(started.stderr);
  }

  get #run() {
    return JSON.parse(readFileSync(join(this.folder, "daemon.json"), "utf8")) as {
      readonly pid: number;
      readonly addresses: readonly string[];
    };
  }

  get address(): string {
    return this.#run.addresses[1] ?? "";
  }

  client(name: string): Client {
    return clientAt({ socketPath: join(this.folder, "daemon.sock") }, name);
  }

  kill(signal: "SIGKILL" | "SIGSTOP" = "SIGKILL"): void {
    process.kill(this.#run.pid, signal);
  }

  /** Whether clients have fetched this many passes here, and so know the other nodes. */
  async hasGivenPasses(count: number): Promise<boolean> {
    const token = readFileSync(join(this.folder, "token"), "utf8").trim();
    const headers = { authorization: `Bearer ${token}` };
    const text = await (await fetch(`${this.address}/metrics`, { headers })).text();
    const [, given = "0"] = /agentwire_rpc_seconds_count\{[^}]*GetPass[^}]*\} (\d+)/.exec(text) ?? [];
    return Number(given) >= count;
  }
}

/** Expects each event once, in order and without gaps; deltas of a finished reply are no longer in the log. */
function expectWhole(numbers: readonly number[], log: readonly Event[]): void {
  expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
  const known = new Set(log.map(({ seq }) => Number(seq)));
  expect(numbers.filter((seq) => known.has(seq))).toEqual([...known]);
}

test("clients continue on another node when theirs hangs or is killed, without losing an event or repeating a prompt", async () => {
  const url = await newDatabase();
  const text = "one two three four five six seven eight nine ten ".repeat(4);
  const script = { steps: [], whenExhausted: { text, chunkDelay: 15, chunkSize: 2 } };
  writeFileSync(join(home.folder, "slow.json"), JSON.stringify(script));
  const [a, b, c] = ["a", "b", "c"].map((name) => new ClusterNode(name)) as [
    ClusterNode,
    ClusterNode,
    ClusterNode,
  ];
  await a.start(url);
  await Promise.all([b.start(url), c.start(url)]);
  onTestFinished(async () => {
    for (const { env } of [a, b, c]) await home.run(["daemon", "stop"], "", env);
  });
  const { sessions } = a.client("owner");
  const create = { cwd: home.project, agent: "slow", idempotencyKey: "session" };
  const sessionId = (await sessions.createSession(create)).session?.id ?? "";

  // One client is a program at the socket of b, the other runs in this process and uses an address.
  const attached = home.start(["attach", sessionId, "--json"], b.env);
  let printed = "";
  attached.stdout?.setEncoding("utf8").on("data", (more: string) => {
    printed += more;
  });
  const seen = () =>
    printed
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { seq?: string; notice?: unknown })
      .flatMap(({ seq }) => (seq === undefined ? [] : Number(seq)));
  await vi.waitFor(async () => expect(await b.hasGivenPasses(1)).toBe(true), WAIT);
  await sessions.sendPrompt({ sessionId, text: "count", idempotencyKey: "first" });
  await vi.waitFor(() => expect(printed).toContain("textDelta"), WAIT);
  // A stopped node neither refuses nor answers anything.
  b.kill("SIGSTOP");
  const logged = async () =>
    (await c.client("reader").sessions.listEvents({ sessionId, pageSize: 5000 })).events;
  const turns = async () => (await logged()).filter(({ body }) => body.case === "turnComplete").length;
  await vi.waitFor(async () => expect(await turns()).toBe(1), WAIT);
  await vi.waitFor(async () => expect(seen().at(-1)).toBe(Number((await logged()).at(-1)?.seq)), WAIT);
  expectWhole(seen(), await logged());

  // A command with the addresses of b and c reaches c.
  b.kill();
  const created = await home.run(["tokens", "create", "everywhere", "--scope", "drive", "--json"], "", c.env);
  const { secret } = JSON.parse(created.stdout) as { secret: string };
  const addresses = `${b.address},${c.address}`;
  const listed = await home.run(["sessions", "--address", addresses], "", { AGENTWIRE_TOKEN: secret });
  expect(listed.stdout).toContain(sessionId.slice(0, 8));
  const ran = await home.run(["run", "--session", sessionId, "again"], "", {
    AGENTWIRE_ADDRESS: addresses,
    AGENTWIRE_TOKEN: secret,
  });
  expect(ran.code).toBe(0);
  expect(await turns()).toBe(2);

  // The owner dies while a connected client streams a turn; the client sends its next prompt at once.
  const client = a.client("stays");
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const numbers: number[] = [];
  const following = (async () => {
    const options = { sessionId, afterSeq: 0n, isFinal };
    for await (const news of follow(client.sessions, options, leaving.signal))
      if (news.type === "events") numbers.push(...news.events.map(({ seq }) => Number(seq)));
  })();
  await vi.waitFor(async () => expect(await a.hasGivenPasses(1)).toBe(true), WAIT);
  const before = numbers.length;
  await client.sessions.sendPrompt({ sessionId, text: "count", idempotencyKey: "cut" });
  await vi.waitFor(() => expect(numbers.length).toBeGreaterThan(before + 5), WAIT);
  a.kill();
  const prompt = { sessionId, text: "go on", idempotencyKey: "last" };
  await client.sessions.sendPrompt(prompt);
  expect(await c.client("other").sessions.sendPrompt(prompt)).toMatchObject({ acceptedNow: false });
  await vi.waitFor(async () => {
    const { session } = await c.client("reader").sessions.getSession({ sessionId });
    expect(session?.status).toBe(SessionStatus.IDLE);
    expect(numbers.at(-1)).toBe(Number((await logged()).at(-1)?.seq));
    expect(seen().at(-1)).toBe(numbers.at(-1));
  }, WAIT);
  const prompts = (await logged()).flatMap(({ body }) =>
    body.case === "userInput" ? [body.value.promptId] : [],
  );
  expect(new Set(prompts).size).toBe(prompts.length);
  expect(prompts).toHaveLength(4);
  for (const all of [numbers, seen()]) expectWhole(all, await logged());
  leaving.abort();
  await following;
  attached.kill("SIGINT");
}, 120_000);
