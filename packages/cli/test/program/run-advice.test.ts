import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Home } from "./home.ts";

const AGENT = new URL("../../../agent/bin/agentwire-agent", import.meta.url).pathname;

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.end());

/** An agent that writes one file. */
function writing(name: string, path: string) {
  const script = join(home.folder, `${name}.json`);
  const input = { file_path: `{{cwd}}/${path}`, content: "written\n" };
  const call = { type: "tool_use", id: `toolu_${name}`, name: "Write", input };
  writeFileSync(script, JSON.stringify({ steps: [{ content: [call] }, { text: "Done." }] }));
  return { path: AGENT, env: { AGENTWIRE_SCRIPT: script } };
}

test("run suggests no rule where none would help: in plan mode, and where a safety check asks", async () => {
  const agents = {
    writer: writing("writer", "planned.txt"),
    configurer: writing("configurer", ".vscode/tasks.json"),
  };
  mkdirSync(home.state, { mode: 0o700 });
  writeFileSync(join(home.state, "settings.json"), JSON.stringify({ agents }));
  const planned = await home.run(["run", "--agent", "writer", "--mode", "plan", "write it"]);
  expect(planned.stderr).toContain("no rule allows changes in plan mode; to allow it: --mode acceptEdits");
  expect(planned.stderr).not.toContain("rules allow");
  const unsafe = await home.run(["run", "--agent", "configurer", "configure it"]);
  expect(unsafe.stderr).toMatch(/a safety check leaves it to a person; .* agentwire --resume \w{8}/);
  expect(unsafe.stderr).not.toContain("rules allow");
  // Where a rule helps, it is suggested, and what is suggested in plan mode helps.
  const asked = await home.run(["run", "--agent", "writer", "write it"]);
  expect(asked.stderr).toContain("agentwire rules allow 'Edit(");
  const changed = await home.run(["run", "--agent", "writer", "--mode", "acceptEdits", "write it"]);
  expect(changed.stderr).not.toContain("denied");
  expect(readFileSync(join(home.project, "planned.txt"), "utf8")).toBe("written\n");
}, 60_000);

const NOTE = "The offline demo answers, not gpt-4o: it names no provider";

test("run says once that the demo answers in place of a model, and how to name its provider", async () => {
  // Before and after the agent has been started, and with the answer alone.
  for (const args of [["run"], ["run"], ["-p"], ["run", "--json"]]) {
    const { code, stdout, stderr } = await home.run([...args, "--model", "gpt-4o", "hello"]);
    expect(code).toBe(0);
    expect(stderr.split(NOTE)).toHaveLength(2);
    expect(stderr).toContain("--model PROVIDER/gpt-4o");
    expect(stdout).not.toContain(NOTE);
  }
  expect((await home.run(["run", "hello"])).stderr).not.toContain("The offline demo answers");
}, 60_000);

test("run says nothing about the demo if the user's settings have a key for Claude", async () => {
  const api = createServer((_, response) => {
    const error = { type: "not_found_error", message: "no model gpt-4o" };
    response
      .writeHead(404, { "content-type": "application/json" })
      .end(JSON.stringify({ type: "error", error }));
  }).listen(0, "127.0.0.1");
  await once(api, "listening");
  const { port } = api.address() as AddressInfo;
  mkdirSync(join(home.folder, ".claude"));
  const settings = { apiKeyHelper: "echo key", env: { ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` } };
  writeFileSync(join(home.folder, ".claude", "settings.json"), JSON.stringify(settings));
  const { stdout, stderr } = await home.run(["run", "--model", "gpt-4o", "hello"]);
  api.close();
  expect(stdout).toContain("no model gpt-4o");
  expect(stderr).not.toContain(NOTE);
}, 60_000);
