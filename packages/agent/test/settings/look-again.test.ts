import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { loadSettings } from "../../src/settings/load.ts";

/** Settings with a project file, and a function that changes the file and returns the detected change. */
async function projectSettings(before: object) {
  const base = mkdtempSync(join(tmpdir(), "agentwire-look-again-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const path = join(base, ".claude/settings.json");
  mkdirSync(join(base, ".claude"));
  writeFileSync(path, JSON.stringify(before));
  const settings = await loadSettings({
    cwd: base,
    configDir: join(base, "home"),
    home: base,
    userFile: join(base, ".claude.json"),
    trusted: [base],
    policyFolder: join(base, "etc"),
  });
  const change = async (content: object) => {
    writeFileSync(path, JSON.stringify(content));
    const found = await settings.lookAgain(path);
    return found?.kind === "changed" ? found : undefined;
  };
  return { settings, change };
}

describe("changes that are accepted later", () => {
  test.each([
    { order: "in order", isReversed: false },
    { order: "in reverse", isReversed: true },
  ])("result in the file's last content when accepted $order", async ({ isReversed }) => {
    const { settings, change } = await projectSettings({});
    const changes = [await change({ model: "a" }), await change({ permissions: { deny: ["Bash"] } })];
    for (const one of isReversed ? changes.reverse() : changes) one?.take();
    expect(settings.effective).toEqual({ permissions: { deny: ["Bash"] } });
  });

  test("have no effect after the file has returned to its previous content", async () => {
    const { settings, change } = await projectSettings({ permissions: { deny: ["Bash"] } });
    const loosened = await change({});
    expect(await change({ permissions: { deny: ["Bash"] } })).toBeUndefined();
    loosened?.take();
    expect(settings.effective).toEqual({ permissions: { deny: ["Bash"] } });
  });

  test("have no effect after we have written the file ourselves", async () => {
    const { settings, change } = await projectSettings({});
    const changed = await change({ model: "a" });
    await settings.update("projectSettings", (now) => ({ ...now, model: "b" }));
    changed?.take();
    expect(settings.effective).toEqual({ model: "b" });
  });

  test("take effect if a later one was rejected", async () => {
    const { settings, change } = await projectSettings({});
    const first = await change({ model: "a" });
    await change({ model: "b" });
    first?.take();
    expect(settings.effective).toEqual({ model: "a" });
  });
});
