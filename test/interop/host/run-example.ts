import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startScriptedApi } from "../../../packages/agent/test/scripted-api.ts";
import { startScriptedApi as startProvider } from "../../../packages/conformance/src/scripted-api/server.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const EXAMPLES = here("../../../examples/sdk/");

/** The output of an example: its messages, and its other lines. */
export interface Printed {
  readonly messages: readonly unknown[];
  readonly remarks: readonly unknown[];
}

/** Runs an example with an SDK and a Messages API that plays a script, or another provider that does. */
export async function runExample(
  name: string,
  script: string,
  sdk: string,
  wire?: "chat" | "responses",
): Promise<Printed> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-example-")));
  const steps = JSON.parse(readFileSync(join(EXAMPLES, "scripts", `${script}.json`), "utf8"));
  const variables = { cwd: join(root, "project"), root };
  const api = await (wire === undefined
    ? startScriptedApi({ ...steps, variables })
    : startProvider(steps, variables));
  // Named like a model of Claude, so that programs that name Claude's models get this provider's.
  const anthropic = { wire, baseUrl: `${api.url}/v1`, apiKey: "an-example" };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [join(EXAMPLES, `${name}.mjs`)], {
      env: {
        PATH: process.env.PATH,
        SDK: sdk,
        ROOT: root,
        SHOW: "all",
        // Nothing listens there.
        ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
        ...(wire === undefined
          ? { ANTHROPIC_BASE_URL: api.url }
          : { AGENTWIRE_PROVIDERS: JSON.stringify({ anthropic }) }),
        CLAUDE_CODE_TMPDIR: join(root, "tmp"),
      },
      maxBuffer: 1 << 26,
      timeout: 60_000,
    });
    const lines = normalised(stdout, root, api.url).map((line) => JSON.parse(line));
    const isMessage = (line: object) => "type" in line;
    // Callbacks and the loop print concurrently, so each keeps only its own order.
    return { messages: lines.filter(isMessage), remarks: lines.filter((line) => !isMessage(line)) };
  } finally {
    await api.close();
    rmSync(root, { recursive: true, force: true });
  }
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
