import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { describeSettings } from "../../src/settings/describe-settings.ts";
import { loadSettings } from "../../src/settings/load.ts";

function makeFolders() {
  const base = mkdtempSync(join(tmpdir(), "agentwire-settings-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const cwd = join(base, "project");
  const configDir = join(base, "home/.claude");
  mkdirSync(cwd);
  return {
    cwd,
    configDir,
    home: join(base, "home"),
    userFile: join(base, "home/.claude.json"),
    trusted: [cwd],
    policyFolder: join(base, "etc"),
    policy: join(base, "etc/managed-settings.json"),
    user: join(configDir, "settings.json"),
    project: join(cwd, ".claude/settings.json"),
    local: join(cwd, ".claude/settings.local.json"),
  };
}

function put(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
}

const read = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

describe("loading settings", () => {
  test("yields no settings and no errors without any file", async () => {
    const settings = await loadSettings(makeFolders());
    expect(describeSettings(settings, [])).toEqual({ effective: {}, sources: [] });
  });

  test("gives precedence to stronger files, joins lists and merges objects", async () => {
    const folders = makeFolders();
    put(folders.user, { model: "a", env: { A: "1", B: "1" }, permissions: { allow: ["Read", "Write"] } });
    put(folders.project, { model: "b", env: { B: "2" }, permissions: { allow: ["Write", "Bash"] } });
    put(folders.local, { model: "c", unknown: { kept: [1, 1] } });
    put(folders.policy, { model: "z" });
    const settings = await loadSettings({
      ...folders,
      flag: '{"model":"d","env":{"C":"3"}}',
      managed: '{"model":"y"}',
    });
    expect(settings.effective).toEqual({
      model: "z",
      env: { A: "1", B: "2", C: "3" },
      permissions: { allow: ["Read", "Write", "Bash"] },
      unknown: { kept: [1, 1] },
    });
    expect(settings.files.map(({ source }) => source)).toEqual([
      "userSettings",
      "projectSettings",
      "localSettings",
      "flagSettings",
      "policySettings",
    ]);
    expect(settings.files.map(({ root }) => root)).toEqual([
      folders.configDir,
      ...Array(4).fill(folders.cwd),
    ]);
  });

  test.each([
    [undefined, ["userSettings", "projectSettings", "localSettings", "policySettings"]],
    ["", ["policySettings"]],
    ["local, user", ["userSettings", "localSettings", "policySettings"]],
  ])("reads the sources %j", async (sources, expected) => {
    const folders = makeFolders();
    for (const path of [folders.user, folders.project, folders.local, folders.policy]) put(path, {});
    const settings = await loadSettings({ ...folders, sources });
    expect(settings.files.map(({ source }) => source)).toEqual(expected);
    expect(settings.errors).toEqual([]);
  });

  test("reports an unknown source", async () => {
    const settings = await loadSettings({ ...makeFolders(), sources: "user,constructor" });
    expect(settings.errors).toEqual([
      { path: "--setting-sources", message: expect.stringContaining("constructor") },
    ]);
  });

  test("accepts a file named by the flag, which must exist", async () => {
    const folders = makeFolders();
    put(join(folders.cwd, "conf/extra.json"), { model: "m" });
    const settings = await loadSettings({ ...folders, flag: "conf/extra.json" });
    expect(settings.effective).toEqual({ model: "m" });
    expect(settings.files[0]?.root).toBe(join(folders.cwd, "conf"));
    const missing = await loadSettings({ ...folders, flag: "none.json" });
    expect(missing.errors).toEqual([{ path: join(folders.cwd, "none.json"), message: "does not exist" }]);
  });

  test.each([
    ["half a file", '{"model":', "JSON"],
    ["a list", "[1]", "object"],
    ["null", "null", "object"],
    ["a deeply nested file", `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`, "deep"],
  ])("reports %s and uses the other files", async (_, text, reason) => {
    const folders = makeFolders();
    put(folders.user, { model: "m" });
    put(folders.project, text);
    const settings = await loadSettings(folders);
    expect(settings.effective).toEqual({ model: "m" });
    expect(settings.errors).toEqual([{ path: folders.project, message: expect.stringContaining(reason) }]);
  });

  test("reports a folder in place of a file", async () => {
    const folders = makeFolders();
    mkdirSync(folders.local, { recursive: true });
    const settings = await loadSettings(folders);
    expect(settings.errors).toEqual([
      { path: folders.local, message: expect.stringContaining("can't be read") },
    ]);
  });

  test("accepts a byte order mark and an empty file", async () => {
    const folders = makeFolders();
    put(folders.user, '\uFEFF{"model":"m"}');
    put(folders.local, "\n");
    const settings = await loadSettings(folders);
    expect(settings.effective).toEqual({ model: "m" });
    expect(settings.errors).toEqual([]);
  });

  test("reports and omits values of the wrong type, and uses the rest of the file", async () => {
    const folders = makeFolders();
    put(folders.user, {
      model: 7,
      outputStyle: "plain",
      env: { A: 1, B: "b" },
      hooks: [],
      permissions: { allow: ["Read", 3, "Bash("], deny: "Write", ask: ["Edit"], defaultMode: "wild" },
      sandbox: {
        enabled: true,
        autoAllowBashIfSandboxed: "yes",
        hooks: "some",
        filesystem: { denyRead: "~/.ssh", denyWrite: ["a"] },
        network: { httpProxyPort: "8080", allowedDomains: ["a.example", 1] },
        unheardOf: 1,
      },
      anything: null,
    });
    const settings = await loadSettings(folders);
    expect(settings.effective).toEqual({
      outputStyle: "plain",
      env: { A: "1", B: "b" },
      permissions: { allow: ["Read"], ask: ["Edit"] },
      sandbox: {
        enabled: true,
        filesystem: { denyWrite: ["a"] },
        network: { allowedDomains: ["a.example"] },
        unheardOf: 1,
      },
      anything: null,
    });
    expect(settings.errors.map(({ key }) => key)).toEqual([
      "model",
      "hooks",
      "permissions.allow",
      "permissions.allow",
      "permissions.deny",
      "permissions.defaultMode",
      "sandbox.autoAllowBashIfSandboxed",
      "sandbox.hooks",
      "sandbox.filesystem.denyRead",
      "sandbox.network.httpProxyPort",
      "sandbox.network.allowedDomains",
    ]);
    expect(describeSettings(settings, []).errors).toContainEqual({
      file: folders.user,
      path: "permissions.deny",
      message: "is not a list",
    });
  });

  test("omits keys that would change an object's prototype", async () => {
    const folders = makeFolders();
    put(folders.user, '{"__proto__":{"polluted":true},"env":{"__proto__":"x"}}');
    put(folders.local, '{"__proto__":{"more":true},"constructor":{"a":1}}');
    const { effective } = await loadSettings(folders);
    expect(effective.polluted).toBeUndefined();
    expect(Object.getPrototypeOf(effective)).toBe(Object.prototype);
    expect(JSON.stringify(effective)).toBe('{"env":{},"constructor":{"a":1}}');
  });
});

describe("the policy", () => {
  test("is the administrator's, from all documents in order of their names, regardless of the host's", async () => {
    const folders = makeFolders();
    put(folders.policy, { model: "m", fallbackModel: ["a", "b"], permissions: { deny: ["WebFetch"] } });
    put(join(folders.policyFolder, "managed-settings.d/10-a.json"), { permissions: { deny: ["WebSearch"] } });
    put(join(folders.policyFolder, "managed-settings.d/2-b.json"), { model: "b", fallbackModel: ["c"] });
    const settings = await loadSettings({ ...folders, managed: '{"permissions":{"allow":["Bash"]}}' });
    expect(describeSettings(settings, []).sources).toEqual([
      {
        source: "policySettings",
        settings: {
          model: "b",
          fallbackModel: ["c"],
          permissions: { deny: ["WebFetch", "WebSearch"] },
        },
      },
    ]);
  });

  test("is the host's if there is no other, and may then only restrict", async () => {
    const folders = makeFolders();
    put(folders.policy, {});
    put(folders.user, { model: "u" });
    const managed = { model: "host", env: { A: "1" }, hooks: {}, permissions: { deny: ["Edit"] } };
    const settings = await loadSettings({ ...folders, managed: JSON.stringify(managed) });
    expect(settings.effective).toEqual({ model: "u", permissions: { deny: ["Edit"] } });
  });

  test("is ignored and reported while one of its documents is invalid", async () => {
    const folders = makeFolders();
    const bad = join(folders.policyFolder, "managed-settings.d/bad.json");
    put(folders.policy, { model: "m" });
    put(bad, "{");
    const settings = await loadSettings(folders);
    expect(settings.effective).toEqual({});
    expect(settings.errors).toEqual([{ path: bad, message: "is not valid JSON" }]);
  });

  test("is read again when a document is added or changed", async () => {
    const folders = makeFolders();
    const extra = join(folders.policyFolder, "managed-settings.d");
    const settings = await loadSettings(folders);
    const look = async (path: string) => {
      expect(settings.paths).toContain(path);
      const change = await settings.lookAgain(path);
      if (change?.kind === "changed") change.take();
    };
    put(join(extra, "a.json"), { model: "a" });
    await look(extra);
    expect(settings.effective).toEqual({ model: "a" });
    put(join(extra, "a.json"), { model: "b" });
    await look(join(extra, "a.json"));
    expect(settings.effective).toEqual({ model: "b" });
  });
});

describe("flag settings", () => {
  test("are a layer above those of the command line: keys replace earlier ones, null removes them", async () => {
    const folders = makeFolders();
    put(folders.user, { model: "user" });
    const settings = await loadSettings({
      ...folders,
      flag: '{"model":"flag","permissions":{"allow":["Bash(make)"],"deny":["Read(own)"]}}',
      managed: "{}",
    });
    const given = { allow: ["Bash(make)"], deny: ["Read(own)"] };
    expect(settings.applyFlagSettings({ permissions: { deny: ["Read(a)"], ask: ["Read(b)"] } })).toEqual([]);
    expect(settings.effective).toEqual({
      model: "flag",
      permissions: { allow: ["Bash(make)"], deny: ["Read(own)", "Read(a)"], ask: ["Read(b)"] },
    });
    expect(settings.applyFlagSettings({ permissions: { deny: ["Read(c)"] }, model: "over" })).toEqual([]);
    expect(settings.effective).toEqual({
      model: "over",
      permissions: { ...given, deny: ["Read(own)", "Read(c)"] },
    });
    expect(settings.applyFlagSettings({ permissions: null, model: null })).toEqual([]);
    expect(settings.effective).toEqual({ model: "flag", permissions: given });
    settings.applyFlagSettings({ model: "over" });
    expect(settings.files.map(({ source }) => source)).toEqual([
      "userSettings",
      "flagSettings",
      "policySettings",
    ]);
  });

  test("that are invalid change nothing", async () => {
    const settings = await loadSettings(makeFolders());
    expect(settings.applyFlagSettings({ model: 7, outputStyle: "x" })).toMatchObject([{ key: "model" }]);
    expect(settings.effective).toEqual({});
  });
});

describe("changing a settings file", () => {
  const withModel = (model: string) => (before: object) => ({ ...before, model });

  test("creates it with its folder, and takes effect at once", async () => {
    const folders = makeFolders();
    const settings = await loadSettings(folders);
    await settings.update("localSettings", withModel("m"));
    expect(read(folders.local)).toEqual({ model: "m" });
    expect(settings.effective).toEqual({ model: "m" });
    expect(readdirSync(dirname(folders.local))).toEqual(["settings.local.json"]);
  });

  test("starts from its current content and keeps unknown keys", async () => {
    const folders = makeFolders();
    put(folders.user, { model: "old", theirs: { x: 1 } });
    const settings = await loadSettings(folders);
    put(folders.user, { model: "old", theirs: { x: 2 } });
    await settings.update("userSettings", withModel("new"));
    expect(read(folders.user)).toEqual({ model: "new", theirs: { x: 2 } });
  });

  test("loses none of many concurrent changes", async () => {
    const folders = makeFolders();
    const settings = await loadSettings(folders);
    const keys = Array.from({ length: 20 }, (_, at) => `key${at}`);
    await Promise.all(keys.map((key) => settings.update("projectSettings", (old) => ({ ...old, [key]: 1 }))));
    expect(Object.keys(settings.effective)).toEqual(keys);
  });

  test("fails for a file that it can't read, and continues with others", async () => {
    const folders = makeFolders();
    put(folders.project, "{ oops");
    const settings = await loadSettings(folders);
    await expect(settings.update("projectSettings", withModel("m"))).rejects.toThrow("not valid JSON");
    expect(readFileSync(folders.project, "utf8")).toBe("{ oops");
    await settings.update("localSettings", withModel("m"));
    expect(settings.effective).toEqual({ model: "m" });
  });

  test("leaves nothing behind if the change itself fails", async () => {
    const folders = makeFolders();
    put(folders.user, { model: "m" });
    const settings = await loadSettings(folders);
    const failing = settings.update("userSettings", () => {
      throw new Error("changed my mind");
    });
    await expect(failing).rejects.toThrow("changed my mind");
    expect(readdirSync(folders.configDir)).toEqual(["settings.json"]);
    expect(read(folders.user)).toEqual({ model: "m" });
  });

  test("keeps a link and the file's mode", async () => {
    const folders = makeFolders();
    const real = join(folders.cwd, "dotfiles/settings.json");
    put(real, {});
    chmodSync(real, 0o600);
    mkdirSync(folders.configDir, { recursive: true });
    symlinkSync(real, folders.user);
    const settings = await loadSettings(folders);
    await settings.update("userSettings", withModel("m"));
    expect(lstatSync(folders.user).isSymbolicLink()).toBe(true);
    expect(read(real)).toEqual({ model: "m" });
    expect(statSync(real).mode & 0o777).toBe(0o600);
  });

  test("of a source that isn't loaded writes it without loading it", async () => {
    const folders = makeFolders();
    const settings = await loadSettings({ ...folders, sources: "user" });
    await settings.update("localSettings", withModel("m"));
    expect(existsSync(folders.local)).toBe(true);
    expect(settings.effective).toEqual({});
  });
});
