import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { DaemonConfig } from "../../src/config.ts";
import { inspectFolder, trustFlags } from "../../src/folder-trust.ts";
import { openBench, ownAgent } from "./daemon-bench.ts";

/** A project with a hook that leaves a mark, and a daemon with the built-in agent. */
function strangeFolder() {
  const bench = openBench();
  const mark = join(bench.folder, "ran");
  const hooks = { SessionStart: [{ hooks: [{ type: "command", command: `touch ${mark}` }] }] };
  mkdirSync(join(bench.project, ".claude"));
  const path = join(bench.project, ".claude/settings.json");
  writeFileSync(path, JSON.stringify({ hooks }));
  const agents = [ownAgent(bench, [{ text: "one" }, { text: "two" }])];
  const open = (config: Partial<DaemonConfig>) => bench.open({ agents, trustedFolders: [], ...config });
  return { bench, mark, path, open };
}

test("a folder's settings are shown before and applied after a session is created with trust", async () => {
  const { bench, mark, path, open } = strangeFolder();
  const talk = await open({});
  const cwd = bench.project;

  expect(await talk.sessions.inspectFolder({ cwd })).toMatchObject({
    folder: cwd,
    trusted: false,
    withheld: [{ path, what: expect.stringContaining(`touch ${mark}`) }],
  });
  const strange = await talk.turn(await talk.create(), "hello");
  expect(existsSync(mark)).toBe(false);
  expect(
    JSON.stringify(strange.events, (_, value) => (typeof value === "bigint" ? Number(value) : value)),
  ).toContain("is not trusted, so this does not apply");

  const { session } = await talk.sessions.createSession({ cwd, trust: true });
  await talk.turn(session?.id ?? "", "hello");
  expect(existsSync(mark)).toBe(true);
  expect(await talk.sessions.inspectFolder({ cwd })).toMatchObject({ trusted: true, withheld: [] });
  await expect(talk.sessions.inspectFolder({ cwd: "/no/such/folder" })).rejects.toThrow("there is no folder");
}, 60_000);

test("trust given through the daemon is audited once and applies to existing sessions", async () => {
  const { bench, mark, open } = strangeFolder();
  const talk = await open({});
  const id = await talk.create();
  await talk.turn(id, "hello");
  expect(existsSync(mark)).toBe(false);
  for (let i = 0; i < 2; i++) await talk.sessions.createSession({ cwd: bench.project, trust: true });
  await talk.turn(id, "hello");
  expect(existsSync(mark)).toBe(true);
  const { audit } = talk.running.daemon.store;
  expect(await audit.page({ from: 0, backwards: false, kind: "trust", limit: 10 })).toMatchObject([
    { action: "given", subject: bench.project },
  ]);
}, 60_000);

test("the settings of a folder trusted in the daemon's settings apply without a question", async () => {
  const { bench, mark, open } = strangeFolder();
  const talk = await open({ trustedFolders: [bench.folder] });
  expect(await talk.sessions.inspectFolder({ cwd: bench.project })).toMatchObject({
    trusted: true,
    withheld: [],
  });
  await talk.turn(await talk.create(), "hello");
  expect(existsSync(mark)).toBe(true);
}, 60_000);

test("agents that start in a folder at once share a few inspections, none begun before they were requested", async () => {
  const bench = openBench();
  const [count, counter] = [join(bench.folder, "count"), join(bench.folder, "counter.cjs")];
  writeFileSync(counter, `require("node:fs").appendFileSync(${JSON.stringify(count)}, "x");`);
  const env = { PATH: process.env.PATH, HOME: bench.folder, NODE_OPTIONS: `--require ${counter}` };
  const query = {
    agent: { path: "other" },
    cwd: bench.project,
    env,
    trustedFolders: [],
    choosesSettings: true,
  };
  const before = Array.from({ length: 20 }, () => trustFlags(query));
  mkdirSync(join(bench.project, ".claude"));
  const hooks = { SessionStart: [{ hooks: [{ type: "command", command: "true" }] }] };
  writeFileSync(join(bench.project, ".claude/settings.json"), JSON.stringify({ hooks }));
  const after = await Promise.all(Array.from({ length: 20 }, () => trustFlags(query)));
  for (const { args } of after) expect(args).toEqual(["--setting-sources", "user"]);
  await Promise.all(before);
  expect(readFileSync(count, "utf8").length).toBeLessThanOrEqual(4);
});

test("only a few folders are inspected at once", async () => {
  const bench = openBench();
  const [marks, marker] = [join(bench.folder, "marks"), join(bench.folder, "marker.cjs")];
  writeFileSync(
    marker,
    `const mark = (sign) => require("node:fs").appendFileSync(${JSON.stringify(marks)}, sign);
    mark("+");
    process.on("exit", () => mark("-"));`,
  );
  const env = { PATH: process.env.PATH, HOME: bench.folder, NODE_OPTIONS: `--require ${marker}` };
  const folders = Array.from({ length: 6 }, (_, index) => join(bench.project, String(index)));
  for (const folder of folders) mkdirSync(folder);
  const found = await Promise.all(folders.map((folder) => inspectFolder(folder, env)));
  expect(found.map(({ folder }) => folder)).toEqual(folders);
  let running = 0;
  const counts = Array.from(readFileSync(marks, "utf8"), (sign) => (running += sign === "+" ? 1 : -1));
  expect(counts).toHaveLength(2 * folders.length);
  expect(Math.max(...counts)).toBe(2);
});
