import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as host from "@agentwire/host";
import { describe, expect, test } from "vitest";
import { sdk } from "./official-sdk.ts";
import { openSessionFolder } from "./session-folder.ts";

/** Writes settings files into a new project and home folder; a text is written unchanged. */
function openSettings(files: Readonly<Record<string, unknown>>): string {
  const { root, project } = openSessionFolder();
  const places: Record<string, string> = {
    user: join(root, "home", "settings.json"),
    project: join(project, ".claude", "settings.json"),
    local: join(project, ".claude", "settings.local.json"),
  };
  for (const [source, content] of Object.entries(files)) {
    const path = places[source] ?? "";
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  }
  return project;
}

const FILES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "no files": {},
  "all three": {
    user: {
      model: "u",
      env: { A: "1", B: "u" },
      permissions: { allow: ["Read"], defaultMode: "acceptEdits" },
    },
    project: {
      model: "p",
      env: { B: "p" },
      permissions: { allow: ["Read", "Bash(ls)"], deny: ["WebFetch"] },
      hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "x" }] }] },
    },
    local: { permissions: { allow: ["Edit"], defaultMode: "bypassPermissions" }, newer: { than: ["this"] } },
  },
  "a file that is not JSON": { project: "{bad", local: { model: "l" } },
  "a list instead of an object": { local: "[1]" },
  "an empty file": { local: "" },
  "a mark at the start": { local: '\uFEFF{"model":"bom"}' },
  "a rule that can't be parsed": { local: { permissions: { allow: ["Bash(ls", "Read"] } } },
  "numbers in the environment": { local: { env: { A: 1, B: null } } },
  "fallback models twice": { user: { fallbackModel: ["a", "b"] }, local: { fallbackModel: ["c"] } },
  "a text that should be a list": { user: { model: "u" }, local: { permissions: { allow: "Read" } } },
  "a number for a model": { user: { model: "u" }, project: { model: 5, env: { A: "1" } } },
  "an unknown mode": { project: { permissions: { defaultMode: "nope", deny: ["Edit"] } } },
  "a restriction of the wrong type": { local: { permissions: { disableBypassPermissionsMode: true } } },
  "dangerous keys": { local: '{"__proto__":{"model":"x"},"constructor":{"a":1}}' },
};

const OPTIONS: readonly host.ResolveSettingsOptions[] = [
  {},
  { settingSources: ["user"] },
  { settingSources: [] },
  { settingSources: ["local", "project"] },
  { settingSources: ["user"], serverManagedSettings: { model: "s", permissions: { deny: ["Edit"] } } },
  {
    settingSources: ["local"],
    managedSettings: {
      model: "dropped",
      env: { A: "dropped" },
      allowManagedHooksOnly: true,
      deniedModels: ["x"],
      permissions: {
        deny: ["Write"],
        ask: ["Bash"],
        disableBypassPermissionsMode: "disable",
        defaultMode: "plan",
      },
      sandbox: { enabled: true, allowUnsandboxedCommands: true, network: { deniedDomains: ["a.example"] } },
    },
  },
];

describe("settings", () => {
  test.each(Object.entries(FILES))("resolve as in the official SDK: %s", async (_, files) => {
    const cwd = openSettings(files);
    for (const options of OPTIONS) {
      const ours = await host.resolveSettings({ ...options, cwd });
      const theirs = await sdk.resolveSettings({ ...options, cwd });
      expect(ours).toEqual(theirs);
      expect(host.filterEscalatingDefaultMode(ours)).toEqual(sdk.filterEscalatingDefaultMode(theirs));
    }
  });

  test.each(["acceptEdits", "auto", "bypassPermissions", "plan", "default"] as const)(
    "from a repository do not let it choose the mode %s",
    async (defaultMode) => {
      for (const source of ["user", "project", "local"]) {
        const cwd = openSettings({ [source]: { permissions: { defaultMode, allow: ["Read"] } } });
        const [ours, theirs] = [await host.resolveSettings({ cwd }), await sdk.resolveSettings({ cwd })];
        expect(host.filterEscalatingDefaultMode(ours)).toEqual(sdk.filterEscalatingDefaultMode(theirs));
      }
    },
  );

  test("from a host restrict rather than loosen if they can't be read", async () => {
    const cwd = openSettings({});
    const managedSettings = {
      allowManagedHooksOnly: "yes",
      sandbox: { enabled: "no" },
      disableAllHooks: true,
    } as unknown as host.Settings;
    const { effective } = await host.resolveSettings({ cwd, managedSettings });
    expect(effective).toEqual({ allowManagedHooksOnly: true, sandbox: { enabled: true } });
    expect((await sdk.resolveSettings({ cwd, managedSettings })).effective).toEqual(effective);
  });
});

test.each([{ permissions: 7 }, { sandbox: "yes" }, { sandbox: { network: [], filesystem: 1 } }])(
  "settings %j from a host restrict as in the official SDK",
  async (managedSettings) => {
    const cwd = openSettings({});
    const options = { cwd, managedSettings: managedSettings as unknown as host.Settings };
    const [ours, theirs] = [await host.resolveSettings(options), await sdk.resolveSettings(options)];
    expect(ours.effective).toEqual(theirs.effective);
  },
);

describe("a list of denied models", () => {
  const models = [
    "claude-opus-4-5",
    "claude-opus-4-5-20251101",
    "claude-opus-4",
    "claude-opus-4-20250514",
    "CLAUDE-OPUS-4-1",
    "opus",
    "sonnet",
    "sonnet[1m]",
    "fable",
    "default",
    "opusplan",
    "claude-sonnet-4-5[1m]",
    "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    "anthropic/claude-sonnet-4-5",
    "claude-sonnet-4-5@20250929",
    "claude-3-5-sonnet-20241022",
    "claude-3-7-sonnet-latest",
    "claude-haiku-4-5",
    "",
  ];
  const entries = [
    "opus",
    "sonnet[1m]",
    "claude-opus-4",
    "claude-opus-4-0",
    " Claude-Opus-4-5 ",
    "claude-opus-4-5-20251101",
    "opus-4-5",
    "claude-3-5-sonnet",
    "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    "claude-sonnet-4-5@20250929",
    "fable",
    "default",
    "best",
    "opusplan",
    "",
    "*",
    "claude-*",
    "claude",
  ];
  test.each(entries)("with %j blocks the same models as the official SDK", async (entry) => {
    const [ours, theirs] = await Promise.all([host, sdk].map((of) => of.matchDeniedModels(models, [entry])));
    expect(ours?.denied).toEqual(theirs?.denied);
  });

  test("of the wrong type is ignored with a warning", async () => {
    const odd = (value: unknown) => value as readonly string[];
    for (const [given, denied] of [
      ["x", ["opus"]],
      [[1, "opus"], "x"],
      [
        [null, "opus"],
        [1, "opus"],
      ],
    ]) {
      const [ours, theirs] = await Promise.all(
        [host, sdk].map((of) => of.matchDeniedModels(odd(given), odd(denied))),
      );
      expect(ours?.denied).toEqual(theirs?.denied);
      expect(ours?.warnings).not.toEqual([]);
    }
    expect(await host.matchDeniedModels(["opus"], undefined)).toEqual({ denied: [false], warnings: [] });
  });
});
