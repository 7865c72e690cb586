import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Home } from "./home.ts";

let home: Home;
beforeAll(() => {
  home = new Home();
});
afterAll(() => home.end());

/** A folder whose hook leaves a mark. */
function strangeFolder(name: string) {
  const cwd = join(home.folder, name);
  const mark = join(home.folder, `${name}-ran`);
  mkdirSync(join(cwd, ".claude"), { recursive: true });
  const hooks = { SessionStart: [{ hooks: [{ type: "command", command: `touch ${mark}` }] }] };
  writeFileSync(join(cwd, ".claude/settings.json"), JSON.stringify({ hooks }));
  return { cwd, hasRun: () => existsSync(mark) };
}

test("run shows at the terminal what an untrusted folder asks for, and trusts it only on request", async () => {
  const { cwd, hasRun } = strangeFolder("asked");
  for (const [answer, isTrusted] of [["n", false] as const, ["y", true] as const]) {
    const sitting = home.sit(["run", "--cwd", cwd, "hello"]);
    await sitting.see("is not trusted");
    await sitting.see("touch");
    await sitting.see("Do you trust it?");
    sitting.type(`${answer}\r`);
    await sitting.see("Hello!");
    expect(await sitting.end()).toBe(0);
    expect(hasRun()).toBe(isTrusted);
  }
  const again = home.sit(["run", "--cwd", cwd, "hello"]);
  await again.see("Hello!");
  expect(await again.end()).toBe(0);
  expect(again.all).not.toContain("is not trusted");
}, 90_000);

test("without a terminal no folder is trusted unless --trust is given", async () => {
  const { cwd, hasRun } = strangeFolder("piped");
  const piped = await home.run(["run", "--cwd", cwd, "hello"]);
  expect(piped.stdout).toMatch(/^Hello!/);
  expect(piped.stderr).toContain("is not trusted, so this does not apply");
  expect(hasRun()).toBe(false);
  expect(await home.run(["run", "--trust", "--cwd", cwd, "hello"])).toMatchObject({ code: 0 });
  expect(hasRun()).toBe(true);
  expect(await home.run(["run", "--trust", "--continue", "--cwd", cwd, "hello"])).toMatchObject({ code: 2 });
}, 90_000);
