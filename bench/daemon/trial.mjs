import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect as connectSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { HealthService, QuestionService, RuleService, SessionService } from "@agentwire/api";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";

const PROGRAM = fileURLToPath(new URL("../../packages/cli/bin/agentwire", import.meta.url));
const FLOOD = fileURLToPath(new URL("flood-agent.mjs", import.meta.url));

/** Calls a function with a running daemon, and removes everything afterwards. */
export async function withTrial(options, use) {
  const trial = new Trial(options);
  try {
    await trial.start();
    return await use(trial);
  } finally {
    await trial.end();
  }
}

/** A daemon in a separate process and folder. */
export class Trial {
  folder = mkdtempSync(join(tmpdir(), "agentwire-bench-"));
  #child;
  /** The end of its log. */
  #said = "";

  constructor({
    agents = { flood: { path: FLOOD } },
    agent = Object.keys(agents)[0],
    settings = {},
    more = {},
  }) {
    chmodSync(this.folder, 0o700);
    writeFileSync(
      join(this.folder, "settings.json"),
      JSON.stringify({ agents, default_agent: agent, daemon: { max_processes: 40, ...settings }, ...more }),
    );
  }

  get socketPath() {
    return join(this.folder, "daemon.sock");
  }

  get isRunning() {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get pid() {
    return this.#child.pid;
  }

  /** Resolves when it is listening. */
  async start() {
    const env = { PATH: process.env.PATH, HOME: this.folder };
    this.#child = spawn(
      process.execPath,
      [PROGRAM, "daemon", "start", "--foreground", "--json", "--folder", this.folder],
      { env, stdio: ["ignore", "pipe", "pipe"] },
    );
    this.#child.stderr.on("data", (chunk) => {
      this.#said = (this.#said + chunk).slice(-10_000);
    });
    const [line] = await Promise.race([
      once(createInterface({ input: this.#child.stdout }), "line"),
      once(this.#child, "exit"),
    ]);
    if (!this.isRunning) throw new Error(`the daemon did not start:\n${this.#said}`);
    if (JSON.parse(line).state !== "listening") throw new Error(`the daemon says: ${line}`);
    const transport = createGrpcTransport({
      baseUrl: "http://daemon",
      nodeOptions: { createConnection: () => connectSocket(this.socketPath) },
    });
    this.sessions = createClient(SessionService, transport);
    this.questions = createClient(QuestionService, transport);
    this.rules = createClient(RuleService, transport);
    this.health = createClient(HealthService, transport);
    return this;
  }

  async create() {
    return (await this.sessions.createSession({ cwd: this.folder })).session.id;
  }

  /** The daemon's Prometheus metrics, by name and labels. */
  async metrics() {
    const [response] = await once(
      request({ socketPath: this.socketPath, path: "/metrics" }).end(),
      "response",
    );
    const lines = (await text(response)).split("\n").filter((line) => line && !line.startsWith("#"));
    return new Map(
      lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]),
    );
  }

  /** The CPU time that it has used so far, in seconds. */
  async cpuSeconds() {
    return (await this.metrics()).get("process_cpu_seconds_total");
  }

  /** Its resident memory, in MB. */
  async megabytes() {
    return (await this.metrics()).get("process_resident_memory_bytes") / 1_048_576;
  }

  /** Resolves when this many clients are watching. */
  async attended(clients) {
    while ((await this.metrics()).get("agentwire_clients") !== clients)
      await new Promise((resolve) => setTimeout(resolve, 50));
  }

  async kill() {
    const exited = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await exited;
  }

  /** Ends it as a service manager would; resolves with its exit code. */
  async stop() {
    if (this.isRunning) {
      const exited = once(this.#child, "exit");
      this.#child.kill("SIGTERM");
      await exited;
    }
    return this.#child.exitCode;
  }

  async end() {
    await this.stop();
    rmSync(this.folder, { recursive: true });
  }
}
