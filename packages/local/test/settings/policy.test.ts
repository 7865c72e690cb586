import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { policyFolder, readPolicy } from "../../src/settings/policy.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-policy-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, content: unknown): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

test.each([
  ["linux", "/etc/claude-code"],
  ["darwin", "/Library/Application Support/ClaudeCode"],
  ["win32", "C:\\Program Files\\ClaudeCode"],
] as const)("the administrator's folder on %s is %s", (platform, path) => {
  expect(policyFolder(platform)).toBe(path);
});

describe("a policy", () => {
  test("is undefined without a document", async () => {
    expect(await readPolicy(folder)).toMatchObject({ settings: undefined, faults: [] });
    expect(await readPolicy(join(folder, "none"))).toMatchObject({ settings: undefined, faults: [] });
  });

  // The response of Claude Code 2.1.325 to get_settings with these files.
  test("merges all documents in the order of their names, except hidden ones and those in subfolders", async () => {
    put("managed-settings.json", {
      model: "m",
      env: { A: "file" },
      fallbackModel: ["a", "b"],
      permissions: { deny: ["WebFetch"], allow: ["Read"] },
    });
    put("managed-settings.d/10-a.json", { model: "d10", permissions: { deny: ["WebSearch"] } });
    put("managed-settings.d/2-b.json", { model: "d2", fallbackModel: ["c"], env: { A: "two", B: 5 } });
    put("managed-settings.d/.hidden.json", { model: "hidden" });
    put("managed-settings.d/x.txt", { model: "txt" });
    put("managed-settings.d/sub/y.json", { model: "sub" });
    expect((await readPolicy(folder)).settings).toEqual({
      model: "d2",
      env: { A: "two", B: "5" },
      fallbackModel: ["c"],
      permissions: { deny: ["WebFetch", "WebSearch"], allow: ["Read"] },
    });
  });

  test.each(["managed-settings.json", "managed-settings.d/10-a.json"])(
    "is unusable as a whole if %s is",
    async (name) => {
      put("managed-settings.d/5.json", { model: "m" });
      const path = put(name, "{bad");
      expect(await readPolicy(folder)).toMatchObject({
        settings: undefined,
        faults: [{ path, message: "is not valid JSON" }],
      });
    },
  );

  test("is unusable if a document is a device or a folder", async () => {
    symlinkSync("/dev/zero", put("managed-settings.d/a", {}).replace(/a$/, "zero.json"));
    mkdirSync(join(folder, "managed-settings.json"));
    const { settings, faults } = await readPolicy(folder);
    expect(settings).toBeUndefined();
    expect(faults.map(({ message }) => message)).toEqual([
      expect.stringContaining("is not a regular file"),
      expect.stringContaining("is not a regular file"),
    ]);
  });

  test("keeps valid values next to a value of the wrong type", async () => {
    const path = put("managed-settings.json", { model: 5, permissions: { deny: ["WebFetch", "Bash("] } });
    const { settings, faults } = await readPolicy(folder);
    expect(settings).toEqual({ permissions: { deny: ["WebFetch"] } });
    expect(faults).toMatchObject([
      { path, key: "model" },
      { path, key: "permissions.deny", isRule: true },
    ]);
  });
});
