import { type ChildProcess, execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { debianProgram } from "../../../../test/debian.ts";
import { Home } from "./home.ts";

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.end());

function settle(settings: object): void {
  mkdirSync(home.state, { recursive: true, mode: 0o700 });
  writeFileSync(join(home.state, "settings.json"), JSON.stringify(settings));
}

/** Resolves with the first line of a stream that contains a text. */
async function lineWith(child: ChildProcess, stream: "stdout" | "stderr", wanted: string): Promise<string> {
  for await (const line of createInterface({ input: child[stream] as NodeJS.ReadableStream }))
    if (line.includes(wanted)) {
      child[stream]?.resume();
      return line;
    }
  throw new Error(`never saw ${wanted}`);
}

test("reload applies changed settings, and reports and ignores invalid ones", async () => {
  settle({ daemon: { max_processes: 3 } });
  const child = home.start(["daemon", "start", "--foreground"]);
  await lineWith(child, "stderr", "the daemon is listening");
  settle({ daemon: { max_processes: 5, max_payload_bytes: 70000, log_level: "debug" } });
  const told = lineWith(child, "stderr", "the settings were reloaded");
  expect(await home.run(["daemon", "reload"])).toEqual({
    code: 0,
    stdout: "The settings were reloaded:\n  daemon.max_processes: 3 → 5\n  daemon.log_level: unset → debug\n",
    stderr:
      "These settings have changed and apply after a restart: daemon.max_payload_bytes\n  agentwire daemon stop && agentwire daemon start    # sessions are kept\n",
  });
  expect(JSON.parse(await told)).toMatchObject({
    level: "info",
    fields: { changed: ["daemon.max_processes: 3 → 5", "daemon.log_level: unset → debug"] },
  });
  const status = await home.run(["daemon", "status", "--json"]);
  expect(JSON.parse(status.stdout).health.processes.limit).toBe(5);
  settle({ daemon: { max_processes: 0 } });
  const refused = await home.run(["daemon", "reload"]);
  expect(refused).toMatchObject({ code: 78, stderr: expect.stringContaining("from 1 to 10000, not 0") });
  const kept = lineWith(child, "stderr", "the settings were not applied");
  child.kill("SIGHUP");
  expect(JSON.parse(await kept).fields.error.message).toContain("daemon.max_processes");
  expect((await home.run(["daemon", "status"])).code).toBe(0);
}, 60_000);

test("start and reload list settings that a running daemon does not use yet, and misspelled ones", async () => {
  settle({ daemon: { prot: 7433 } });
  const misspelt = expect.stringMatching(/unknown setting daemon\.prot; did you mean daemon\.port\?\n/);
  expect(await home.run(["daemon", "start"])).toMatchObject({ code: 0, stderr: misspelt });
  expect(await home.run(["daemon", "reload"])).toMatchObject({
    code: 0,
    stdout: "The settings were reloaded.\n",
    stderr: misspelt,
  });
  settle({ daemon: { port: 7433, idle_seconds: 30, listen: [{ host: "127.0.0.1", port: 0 }] } });
  const running = await home.run(["daemon", "start", "--store", "postgres://somewhere/else"]);
  expect(running.stdout).toContain("A daemon is already running");
  expect(running.stderr).toContain("agentwire daemon reload applies them:\n  daemon.idle_seconds: ");
  expect(running.stderr).toContain("after a restart: daemon.port, daemon.listen, store.url\n");
  settle({ daemon: { idle_seconds: 0 } });
  expect(await home.run(["daemon", "start"])).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(
      /idle_seconds: expected .*, not 0\n {2}The daemon keeps the settings it has/,
    ),
  });
  await home.run(["daemon", "stop"]);
}, 60_000);

test("the error for a port in use names the setting behind it", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const file = join(home.state, "settings.json");
  const refused = async (...args: string[]) => {
    const { code, stderr } = await home.run(["daemon", "start", ...args]);
    expect(code).toBe(1);
    return stderr;
  };
  const taken = `another program listens on 127.0.0.1, port ${port} (set by`;
  settle({ daemon: { port } });
  expect(await refused()).toContain(
    `${taken} daemon.port in ${file})\n  change it there, or override it once:`,
  );
  settle({
    daemon: {
      listen: [
        { host: "127.0.0.1", port: 0 },
        { host: "localhost", port },
      ],
    },
  });
  expect(await refused()).toContain(`${taken} daemon.listen[1] in ${file})\n  change it there\n`);
  settle({});
  expect(await refused("--port", String(port))).toContain(`${taken} --port)\n  choose another:`);
  other.close();
}, 60_000);

test("a backup is restored only while no daemon runs", async () => {
  await home.run(["run", "hello"]);
  const file = join(home.folder, "backup.db");
  expect((await home.run(["daemon", "backup", file])).code).toBe(0);
  await home.run(["run", "hello again"]);
  const refused = await home.run(["daemon", "restore", file]);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("stop it: agentwire daemon stop"),
  });
  await home.run(["daemon", "stop"]);
  const restored = await home.run(["daemon", "restore", "--json", file]);
  expect(restored.code).toBe(0);
  expect(JSON.parse(restored.stdout).putAside).toContain("agentwire.db.before-");
  await home.run(["daemon", "start"]);
  const { sessions } = JSON.parse((await home.run(["sessions", "--json"])).stdout);
  expect(sessions).toHaveLength(1);
  expect(readdirSync(home.state).some((name) => name.includes("before-"))).toBe(true);
}, 90_000);

test("usage is shown, and a budget is set and enforced", async () => {
  const script = join(home.folder, "model.json");
  const usage = { input_tokens: 10, output_tokens: 5 };
  writeFileSync(script, JSON.stringify({ steps: [], whenExhausted: { text: "hi", usage } }));
  await home.run(["run", "hello"], "", { AGENTWIRE_SCRIPT: script });
  const used = await home.run(["usage", "--by", "model"]);
  expect(used.code).toBe(0);
  expect(used.stdout).toMatch(/^MODEL +COST +IN +OUT/);
  expect((await home.run(["usage", "budget"])).stdout).toMatch(/^Today: .* spent, without a limit\n$/);
  expect((await home.run(["usage", "budget", "0"])).stdout).toContain(
    "no new turn starts until it is raised",
  );
  const refused = await home.run(["run", "hello"]);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("raise it: agentwire usage budget"),
  });
  expect((await home.run(["usage", "budget", "much"])).code).toBe(2);
  expect((await home.run(["usage", "budget", "settings"])).stdout).toContain("without a limit");
}, 60_000);

test("stopping the daemon says that it waits for a running turn", async () => {
  settle({ daemon: { drain_seconds: 2 } });
  const script = join(home.folder, "model.json");
  const slow = { text: "one two three ".repeat(100), chunkDelay: 100, chunkSize: 2 };
  writeFileSync(script, JSON.stringify({ steps: [], whenExhausted: slow }));
  const turn = home.run(["run", "hello"], "", { AGENTWIRE_SCRIPT: script });
  await vi.waitFor(async () => {
    const { stdout } = await home.run(["sessions", "--status", "running", "--json"]);
    expect(JSON.parse(stdout).sessions).toHaveLength(1);
  }, 20_000);
  expect(await home.run(["daemon", "stop"])).toEqual({
    code: 0,
    stdout: "The daemon has stopped.\n",
    stderr: "Waiting up to 2 s for running turns; to end them now: agentwire daemon stop --now\n",
  });
  await turn;
}, 60_000);

test("the unit file names this program and this folder", async () => {
  settle({ daemon: { drain_seconds: 60 } });
  const { stdout } = await home.run(["daemon", "unit"]);
  expect(stdout).toContain(`Environment="AGENTWIRE_HOME=${home.state}"`);
  expect(stdout).toMatch(/^ExecStart="[^"]*node[^"]*" "[^"]*agentwire" "daemon" "start" "--foreground"$/m);
  expect(stdout).toContain("TimeoutStopSec=90");
  expect(stdout).toContain("WantedBy=default.target");
  expect(stdout).not.toContain("User=");
});

test("systemd accepts the unit files, and runs the system one as the owner of the folder", async () => {
  const checker = debianProgram("systemd", ["/usr/bin/systemd-analyze"]);
  for (const flags of [[], ["--system"]]) {
    const { stdout } = await home.run(["daemon", "unit", ...flags]);
    const file = join(home.state, "agentwire.service");
    mkdirSync(home.state, { recursive: true, mode: 0o700 });
    writeFileSync(file, stdout);
    const { stderr } = await promisify(execFile)(checker, ["verify", "--man=no", file]);
    expect(stderr).toBe("");
    expect(stdout.includes(`\nUser=${userInfo().username}\n`)).toBe(flags.length > 0);
  }
});
