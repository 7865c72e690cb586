import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { matchHooks, readHooks } from "../../src/tooling/hook-files.ts";

const home = mkdtempSync(join(tmpdir(), "agentwire-hooks-"));
afterAll(() => rmSync(home, { recursive: true }));

const put = (path: string, content: object) => {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), JSON.stringify(content));
};
const hooks = (command: string) => ({ PreToolUse: [{ hooks: [{ type: "command", command }] }] });

test("hooks of plugins and of the administrator are listed with those of files, and with the reason if they don't run", async () => {
  const installed = (name: string) => [{ scope: "user", installPath: join(home, name), version: "1.0.0" }];
  const elsewhere = [{ scope: "project", projectPath: "/elsewhere", installPath: join(home, "other") }];
  put(".claude/settings.json", { hooks: hooks("own"), enabledPlugins: { "on@m": true, "off@m": false } });
  put(".claude/plugins/installed_plugins.json", {
    version: 2,
    plugins: { "on@m": installed("on"), "off@m": installed("off"), "other@m": elsewhere },
  });
  for (const name of ["on", "off", "other"]) put(`${name}/hooks/hooks.json`, { hooks: hooks(name) });
  put("policy/managed-settings.json", { hooks: hooks("managed") });
  const around = { cwd: join(home, "project"), env: {}, home, policyFolder: join(home, "policy") };
  const listed = (await readHooks(around)).hooks;
  expect(listed.map(({ command, scope, plugin, problem }) => [command, scope, plugin, problem])).toEqual([
    ["own", "user", "", ""],
    ["on", "plugin", "on@m", ""],
    ["off", "plugin", "off@m", "the plugin is switched off"],
    ["managed", "managed", "", ""],
  ]);
  const running = async () => (await matchHooks(around, "PreToolUse", "Bash")).map(({ command }) => command);
  expect(await running()).toEqual(["own", "on", "managed"]);
  put("policy/managed-settings.json", { hooks: hooks("managed"), allowManagedHooksOnly: true });
  expect(await running()).toEqual(["managed"]);
});
