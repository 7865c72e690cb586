import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMessagesApi } from "./messages-api.mjs";

const FLAGS =
  "-p --output-format stream-json --input-format stream-json --verbose --permission-prompt-tool stdio".split(
    " ",
  );

/** Starts an agent in an empty project with an empty home folder and an API that returns `reply`, and ends it after `use`. */
export async function withAgent(program, { reply, flags = [] }, use) {
  const root = mkdtempSync(join(tmpdir(), "agentwire-bench-"));
  const [cwd, home] = [join(root, "project"), join(root, "home")];
  mkdirSync(cwd);
  mkdirSync(home);
  const api = await startMessagesApi(reply);
  const startedAt = performance.now();
  const child = spawn(program, [...FLAGS, ...flags], {
    cwd,
    env: environment(home, api.url),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  try {
    return await use(new Driver(child, startedAt));
  } finally {
    child.stdin.end();
    const impatience = setTimeout(() => child.kill("SIGKILL"), 5000);
    await exited;
    clearTimeout(impatience);
    api.close();
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

function environment(home, url) {
  return {
    PATH: process.env.PATH,
    HOME: home,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "bench",
    // The address of a local Ollama server.
    OLLAMA_HOST: url,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    // The official agent requires this to skip permissions as root.
    IS_SANDBOX: "1",
  };
}

const STREAM_EVENT = '{"type":"stream_event"';

/** The host's end of the wire: writes lines to an agent and waits for its lines. */
class Driver {
  /** The time just before the process was spawned. */
  startedAt;
  #child;
  #waiting = [];
  #rest = "";
  /** The stream events so far: their number, and the times of the first and the last. */
  streamed = { count: 0, first: 0, last: 0 };

  constructor(child, startedAt) {
    this.startedAt = startedAt;
    this.#child = child;
    child.stdout.setEncoding("utf8").on("data", (chunk) => this.#read(chunk));
    child.once("exit", (code) => {
      for (const { reject } of this.#waiting.splice(0)) reject(new Error(`the agent ended with ${code}`));
    });
  }

  get pid() {
    return this.#child.pid;
  }

  /** Sends a prompt and resolves with the result. */
  ask(prompt) {
    const result = this.next((line) => line.type === "result");
    this.#send({ type: "user", message: { role: "user", content: prompt }, parent_tool_use_id: null });
    return result;
  }

  async initialize() {
    const answer = this.next((line) => line.type === "control_response");
    this.#send({ type: "control_request", request_id: "1", request: { subtype: "initialize" } });
    await answer;
  }

  /** Resolves with the next line that satisfies the predicate. */
  next(passes) {
    return new Promise((resolve, reject) => this.#waiting.push({ passes, resolve, reject }));
  }

  #send(line) {
    this.#child.stdin.write(`${JSON.stringify(line)}\n`);
  }

  #read(chunk) {
    const lines = (this.#rest + chunk).split("\n");
    this.#rest = lines.pop();
    for (const line of lines) {
      // Counted without parsing, so that the agent never waits for us.
      if (line.startsWith(STREAM_EVENT)) this.#count();
      else this.#take(JSON.parse(line));
    }
  }

  #count() {
    this.streamed.last = performance.now();
    this.streamed.first ||= this.streamed.last;
    this.streamed.count++;
  }

  #take(line) {
    for (const waiting of this.#waiting.filter(({ passes }) => passes(line))) {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      waiting.resolve(line);
    }
  }
}
