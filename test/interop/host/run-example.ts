import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startScriptedApi } from "../../../packages/agent/test/scripted-api.ts";
import { startScriptedApi as startProvider } from "../../../packages/conformance/src/scripted-api/server.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const EXAMPLES = here("../../../examples/sdk/");
const AGENT = here("../../../packages/agent/bin/agentwire-agent");
const PROGRAM = fileURLToPath(new URL("one-after-the-other.mjs", import.meta.url));

/** The output of an example: its messages, and its other lines. */
export interface Printed {
  readonly messages: readonly unknown[];
  readonly remarks: readonly unknown[];
}

/** A process that runs examples with one SDK, one after the other: loading an SDK takes more computing time than an example. */
export interface ExampleRunner {
  /** Runs an example with a Messages API that plays a script, or with another provider that does. */
  run(name: string, script: string, wire?: "chat" | "responses"): Promise<Printed>;
  /** Rejects unless the process ends by itself, so that no example has left anything running. */
  end(): Promise<void>;
}

/** Starts such a process for the SDK at a path. */
export function startExamples(sdk: string): ExampleRunner {
  // Agents that were aborted may still write to their folders, so these are removed when the process has ended.
  const base = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-examples-")));
  const child = spawn(process.execPath, [PROGRAM], { env: { PATH: process.env.PATH } });
  const exit = once(child, "exit");
  // The end of its output says more than a failure to write to it.
  child.stdin.on("error", () => {});
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints += text;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const printed = async (program: string, env: NodeJS.ProcessEnv) => {
    const killer = setTimeout(() => child.kill("SIGKILL"), 60_000);
    child.stdin.write(`${JSON.stringify({ program, env })}\n`);
    try {
      for (let output = ""; ; ) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`${program} ended its process or took too long\n${complaints}`);
        const { programEnded, failure } = JSON.parse(value);
        if (failure) throw new Error(`${program} failed\n${failure}\n${complaints}`);
        if (programEnded) return output;
        output += `${value}\n`;
      }
    } finally {
      clearTimeout(killer);
    }
  };
  return {
    async run(name, script, wire) {
      const root = mkdtempSync(join(base, "example-"));
      const steps = JSON.parse(readFileSync(join(EXAMPLES, "scripts", `${script}.json`), "utf8"));
      const variables = { cwd: join(root, "project"), root };
      const api = await (wire === undefined
        ? startScriptedApi({ ...steps, variables })
        : startProvider(steps, variables));
      // Named like a model of Claude, so that programs that name Claude's models get this provider's.
      const anthropic = { wire, baseUrl: `${api.url}/v1`, apiKey: "an-example" };
      try {
        const output = await printed(copyOf(name, root), {
          PATH: process.env.PATH,
          AGENT,
          SDK: sdk,
          ROOT: root,
          SHOW: "all",
          // Nothing listens there.
          ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
          ...(wire === undefined
            ? { ANTHROPIC_BASE_URL: api.url }
            : { AGENTWIRE_PROVIDERS: JSON.stringify({ anthropic }) }),
          CLAUDE_CODE_TMPDIR: join(root, "tmp"),
        });
        const lines = normalised(output, root, api.url).map((line) => JSON.parse(line));
        const isMessage = (line: object) => "type" in line;
        // Callbacks and the loop print concurrently, so each keeps only its own order.
        return { messages: lines.filter(isMessage), remarks: lines.filter((line) => !isMessage(line)) };
      } finally {
        await api.close();
      }
    },
    async end() {
      child.stdin.end();
      const killer = setTimeout(() => child.kill("SIGKILL"), 30_000);
      const [code, signal] = await exit;
      clearTimeout(killer);
      rmSync(base, { recursive: true, force: true });
      if (code !== 0) throw new Error(`the examples' process ended with ${code ?? signal}\n${complaints}`);
    },
  };
}

/** A copy of an example with a setup of its own, since a process runs a file only once. */
function copyOf(name: string, root: string): string {
  const folder = join(root, "program");
  mkdirSync(folder);
  for (const file of ["setup.mjs", `${name}.mjs`]) copyFileSync(join(EXAMPLES, file), join(folder, file));
  symlinkSync(here("../../../node_modules"), join(folder, "node_modules"));
  return join(folder, `${name}.mjs`);
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const MADE_UP = /\b(?:msg|req|toolu|agent|task)_?-?[0-9a-zA-Z]{12,}\b/g;
const NAMES = /"(?:task_id|run_id|agent_id|agentId)":"([^"]+)"/g;
const MEASURED = /"(\w*(?:_ms|Ms|_time|timestamp|cost_usd|costUSD|pid))":(?:-?[\d.e+-]+|"[^"]*")/g;

/** Replaces what differs between runs with placeholders, ids by the order in which they appear. */
function normalised(output: string, root: string, url: string): string[] {
  const ids = new Map<string, string>();
  const named = (id: string) => {
    if (!ids.has(id)) ids.set(id, `id-${ids.size}`);
    return ids.get(id) as string;
  };
  const text = output
    .replaceAll(url, "<api>")
    .replaceAll(root.replaceAll("/", "-"), "<project>")
    .replaceAll(root, "<root>")
    .replaceAll(MEASURED, '"$1":0')
    .replaceAll(/duration_ms: \d+/g, "duration_ms: 0")
    .replaceAll(UUID, named)
    .replaceAll(MADE_UP, named);
  const names = new Set([...text.matchAll(NAMES)].map(([, name = ""]) => name));
  const known = [...names].reduce((all, name) => all.replaceAll(name, named(name)), text);
  return known.split("\n").filter((line) => line !== "");
}
