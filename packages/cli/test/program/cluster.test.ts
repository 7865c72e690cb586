import { afterEach, beforeEach, expect, test } from "vitest";
import { newDatabase } from "../../../daemon/test/postgres/database.ts";
import { Home } from "./home.ts";

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.end());

test("a daemon moves into a database, is a node there, and doctor looks at the server", async () => {
  const url = await newDatabase();
  expect((await home.run(["daemon", "start"])).code).toBe(0);
  expect((await home.run(["run", "hello"])).code).toBe(0);
  expect((await home.run(["nodes"])).stdout).toMatch(/^ID +NAME .*\n- +\S+ \(this one\) +up +- +\d+\/20 +1 /);
  const early = await home.run(["daemon", "migrate", "--to", url]);
  expect(early.code).not.toBe(0);
  expect(early.stderr).toContain("agentwire daemon stop");
  expect((await home.run(["daemon", "stop"])).code).toBe(0);
  const moved = await home.run(["daemon", "migrate", "--to", url]);
  expect(moved.stdout).toMatch(/^1 sessions? with \d+ events, and all else, are in postgres:/);
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
