import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { processesIn } from "../src/agent-driver/left-over.ts";
import { makeSandbox } from "../src/agent-driver/sandbox.ts";
import { readTranscript } from "../src/transcript.ts";
import { writeAgent } from "./fake-agent.ts";

const PROGRAM = fileURLToPath(new URL("../bin/agentwire-conformance", import.meta.url));

function start(...args: readonly string[]) {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
  return { child, ended: ended.then(([[code], stdout, stderr]) => ({ code, stdout, stderr })) };
}

test("the program lists its scenarios and prints its help", { timeout: 30_000 }, async () => {
  const [listing, help] = await Promise.all([
    start("agent", "--list", "--theme", "limits").ended,
    start("agent", "--help").ended,
  ]);
  expect(listing).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^limits +max-turns .*\nlimits +rate-/),
  });
  expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining("Examples:") });
});

test("the program ends quietly when its reader exits", { timeout: 30_000 }, async () => {
  const child = spawn(process.execPath, [PROGRAM, "agent", "--list"], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  const [[code], stderr] = await Promise.all([once(child, "close"), text(child.stderr)]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test("diff accepts a known version in place of its contract", {
  timeout: 30_000,
}, async () => {
  expect(await start("diff", "1.0.128", "2.0.77").ended).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^1\.0\.128 \(Claude Code\) → 2\.0\.77 \(Claude Code\)\n/),
  });
  expect(await start("diff", "1.0.128", "9.9.9").ended).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("9.9.9 can't be read"),
  });
});

test("the program says what is wrong with its command line", { timeout: 30_000 }, async () => {
  expect(await start("agent", "--fast").ended).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("put its command after --"),
  });
  expect(await start("--fast", "--", "x").ended).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      "one of agent, host, acp-agent, acp-client, tools, record, diff, coverage",
    ),
  });
  expect(await start("agent", "--", "/no/such/agent").ended).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("agent program not found: /no/such/agent"),
  });
  expect(await start("agent", "--slow", "--", "x").ended).toMatchObject({ code: 2, stdout: "" });
});

test("the program reports as JSON and JUnit XML, keeps transcripts, and fails if the agent does", {
  timeout: 30_000,
}, async () => {
  const sandbox = await makeSandbox();
  onTestFinished(() => sandbox.remove());
  const command = await writeAgent(sandbox, `say({ type: "cwd", cwd: process.cwd() }); onLine(() => {});`);
  const out = join(sandbox.root, "out");
  const junit = join(sandbox.root, "junit.xml");
  const { code, stdout } = await start(
    "agent",
    "--json",
    "--junit",
    junit,
    "--out",
    out,
    "stdin-eof-before-message",
    "--",
    ...command,
  ).ended;
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ total: 1, match: 1, scenarios: [{ verdict: "match" }] });
  expect(await readFile(junit, "utf8")).toContain('<testcase name="stdin-eof-before-message"');
  expect(await readdir(out)).toEqual(["stdin-eof-before-message.jsonl"]);
  const transcript = await readTranscript(join(out, "stdin-eof-before-message.jsonl"));
  expect(transcript.map(({ line }) => line)).toContainEqual({ type: "cwd", cwd: "/project" });
  expect(await start("agent", "session-id-given", "--", "false").ended).toMatchObject({ code: 1 });
});

test("the program stops its agents when it is stopped", { timeout: 30_000 }, async () => {
  const sandbox = await makeSandbox();
  onTestFinished(() => sandbox.remove());
  const command = await writeAgent(
    sandbox,
    `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(join(sandbox.cwd, "where"))}, process.cwd());
    process.stdin.resume(); setInterval(() => {}, 1000);`,
  );
  const { child, ended } = start("agent", "simple-text", "--", ...command);
  await expect.poll(() => sandbox.read("where"), { timeout: 10_000 }).toBeTruthy();
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 143 });
  expect(processesIn(sandbox.read("where") ?? "")).toEqual([]);
});
