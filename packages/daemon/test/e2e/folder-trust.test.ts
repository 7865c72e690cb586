import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openBench, ownAgent } from "./daemon-bench.ts";

test("a folder's files count once a session was made with trust; what they ask for is shown before", async () => {
  const bench = openBench();
  const mark = join(bench.folder, "ran");
  const hooks = { SessionStart: [{ hooks: [{ type: "command", command: `touch ${mark}` }] }] };
  mkdirSync(join(bench.project, ".claude"));
  const path = join(bench.project, ".claude/settings.json");
  writeFileSync(path, JSON.stringify({ hooks }));
  const talk = await bench.open({ agents: [ownAgent(bench, [{ text: "one" }, { text: "two" }])] });
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
