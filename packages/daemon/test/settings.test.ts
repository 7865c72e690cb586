import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { defaultConfig } from "../src/config.ts";
import { SETTING_KEYS, type SettingKey, schemaOf } from "../src/setting-keys.ts";
import { readSettings } from "../src/settings.ts";
import { SettingsError } from "../src/settings-error.ts";

const DAY = 86_400_000;
const BASE = defaultConfig({ HOME: "/home/user" }, "/project");

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-settings-"));
  path = join(folder, "settings.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = (settings: unknown) => {
  writeFileSync(path, typeof settings === "string" ? settings : JSON.stringify(settings));
  return readSettings(path, BASE);
};

describe("settings", () => {
  test("a missing settings file changes nothing", () => {
    expect(readSettings(path, BASE)).toEqual({ config: BASE, warnings: [] });
  });

  test("without an agent in the settings, the official one is the default if it is installed and signed in", () => {
    const program = join(folder, "claude");
    const home = join(folder, "home");
    const config = defaultConfig({ HOME: home, PATH: folder }, "/project");
    const names = () => readSettings(path, config).config.agents.map(({ name }) => name);
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    expect(names()).toEqual(["agentwire", "claude"]);
    mkdirSync(home);
    writeFileSync(join(home, ".claude.json"), JSON.stringify({ oauthAccount: { emailAddress: "a@b" } }));
    expect(names()).toEqual(["claude", "agentwire"]);
    writeFileSync(path, JSON.stringify({ daemon: { max_processes: 3 } }));
    expect(names()).toEqual(["claude", "agentwire"]);
    writeFileSync(path, JSON.stringify({ default_agent: "agentwire" }));
    expect(names()).toEqual(["agentwire", "claude"]);
    rmSync(path);
    rmSync(program);
    expect(names()).toEqual(["agentwire", "claude"]);
  });

  test.each([
    ["port", 8080, { port: 8080 }],
    ["max_payload_bytes", 1_000_000, { maxPayloadBytes: 1_000_000 }],
    ["max_processes", 3, { maxProcesses: 3 }],
    ["spare_processes", 0, { spareProcesses: 0 }],
    ["keep_days", 10, { retention: { ...BASE.retention, maxAgeMs: 10 * DAY } }],
    ["keep_events", 5000, { retention: { ...BASE.retention, maxEvents: 5000 } }],
    ["keep_deleted_days", 0, { retention: { ...BASE.retention, deletedMs: 0 } }],
  ])("daemon.%s sets its own value and nothing else", (key, value, changed) => {
    expect(read({ daemon: { [key]: value } })).toEqual({ config: { ...BASE, ...changed }, warnings: [] });
  });

  test("trusted folders may be absolute paths or start with ~", () => {
    const { config } = read({ daemon: { trusted_folders: ["~/src", "/srv/build"] } });
    expect(config.trustedFolders).toEqual(["/home/user/src", "/srv/build"]);
  });

  test.each([
    [
      "a relative path as a trusted folder",
      { daemon: { trusted_folders: ["src"] } },
      'or paths that begin with ~, not "src"',
    ],
    [
      "trusted folders that are not a list",
      { daemon: { trusted_folders: 5 } },
      "expected a list of absolute folder paths",
    ],
    ["a file that is not JSON", "{", "is not JSON"],
    ["a list instead of an object", [], "expected an object"],
    [
      "a number below the minimum",
      { daemon: { max_payload_bytes: 1 } },
      "daemon.max_payload_bytes: expected a whole number from 65536",
    ],
    ["a string instead of a number", { daemon: { keep_days: "3" } }, 'not "3"'],
    ["an agent without a path", { agents: { mine: {} } }, "agents.mine.path"],
    [
      "shared processes for an agent other than agentwire",
      { agents: { claude: { sessions_per_process: 2 } } },
      "agents.claude.sessions_per_process",
    ],
    [
      "a session memory limit without shared processes",
      { agents: { agentwire: { session_memory_mb: 64 } } },
      "agents.agentwire.session_memory_mb",
    ],
    [
      "a session memory limit below the minimum",
      { agents: { agentwire: { sessions_per_process: 2, session_memory_mb: 1 } } },
      "agents.agentwire.session_memory_mb",
    ],
    [
      "zero sessions per process",
      { agents: { agentwire: { sessions_per_process: 0 } } },
      "agents.agentwire.sessions_per_process",
    ],
    ["an unknown dialect", { agents: { mine: { path: "x", dialect: "lsp" } } }, "agents.mine.dialect"],
    [
      "an auth method that is not a string",
      { agents: { mine: { path: "x", auth_method: 1 } } },
      "agents.mine.auth_method",
    ],
    ["a string as the sandbox", { agents: { agentwire: { sandbox: "on" } } }, "true, false or an object"],
    [
      "an unknown key in a sandbox",
      { agents: { agentwire: { sandbox: { filesystem: { allowread: [] } } } } },
      "agents.agentwire.sandbox.filesystem.allowread: expected one of the keys allowRead",
    ],
    [
      "a relative path in a sandbox",
      { agents: { agentwire: { sandbox: { filesystem: { allowRead: ["src"] } } } } },
      "sandbox.filesystem.allowRead: expected a list of absolute paths",
    ],
    [
      "a URL where a host is expected",
      { agents: { agentwire: { sandbox: { network: { allowedDomains: ["https://x.org"] } } } } },
      "sandbox.network.allowedDomains: expected a list of hosts",
    ],
    [
      "a memory limit too small for any program",
      { agents: { agentwire: { sandbox: { limits: { memory_mb: 1 } } } } },
      "sandbox.limits.memory_mb: expected a whole number from 64",
    ],
    [
      "a misspelled key of a port",
      { daemon: { listen: [{ host: "127.0.0.1", port: 1, tsl: {} }] } },
      "daemon.listen[0].tsl: expected one of the keys host, port, tls",
    ],
    [
      "a port without a host",
      { daemon: { listen: [{ port: 1 }] } },
      "daemon.listen[0].host: expected an address of this machine",
    ],
    [
      "a number as an environment variable",
      { agents: { agentwire: { env: { KEY: 12 } } } },
      "env: expected an object of strings, not an object",
    ],
    ["an unknown default agent", { default_agent: "nobody" }, "choose one of"],
  ])("%s is rejected with a message that says what is expected", (_, settings, message) => {
    expect(() => read(settings)).toThrow(SettingsError);
    expect(() => read(settings)).toThrow(message);
  });

  test("unknown keys are ignored with a warning", () => {
    const { warnings } = read({ daemon: { colour: "red" }, agents: { mine: { path: "claude", speed: 1 } } });
    expect(warnings).toEqual([
      `${path}: unknown setting daemon.colour`,
      `${path}: unknown setting agents.mine.speed`,
    ]);
  });

  test("an agent can have a sandbox with its own limits, the built-in agent included", () => {
    const sandbox = { filesystem: { allowRead: ["~/tools"] }, limits: { cpu_seconds: 60 } };
    const { config, warnings } = read({ agents: { agentwire: { sandbox }, claude: { sandbox: true } } });
    expect(warnings).toEqual([]);
    expect(config.agents).toMatchObject([
      {
        name: "agentwire",
        sandbox: {
          allowRead: ["/home/user/tools"],
          allowedDomains: [],
          limits: { memoryBytes: 4096 * 1024 ** 2, processes: 512, openFiles: 4096, cpuSeconds: 60 },
        },
      },
      { name: "claude", path: "claude", sandbox: { allowRead: [], limits: { cpuSeconds: undefined } } },
    ]);
  });

  test("the default agent comes first, and a configured agent replaces the built-in one of the same name", () => {
    const { config } = read({
      agents: { claude: { path: "/opt/claude", args: ["-x"] } },
      default_agent: "claude",
    });
    expect(config.agents).toEqual([
      { name: "claude", path: "/opt/claude", args: ["-x"], env: {} },
      { name: "agentwire" },
    ]);
  });
});

const [SECTION, NAME] = [0, 1];

function readKey(key: SettingKey, value: unknown) {
  const words = key.path.split(".");
  return read({ [words[SECTION] ?? ""]: { [words[NAME] ?? ""]: value } });
}

/** The smallest and largest allowed values, and some that are not allowed. */
function samples({ expects }: SettingKey): {
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
} {
  if ("words" in expects) return { good: expects.words, bad: ["loud", 1, null] };
  const { least, most, isWhole } = expects;
  const bad = [least - 1, most + 1, String(least), null, true, [least], ...(isWhole ? [least + 0.5] : [])];
  return { good: [least, most], bad };
}

test.each(SETTING_KEYS.map((key) => [key.path, key] as const))(
  "%s is accepted within its limits only",
  (name, key) => {
    const { good, bad } = samples(key);
    for (const value of good) {
      const { config, warnings } = readKey(key, value);
      expect(key.get(config)).toBe(value);
      expect(warnings).toEqual([]);
    }
    for (const value of bad)
      expect(() => readKey(key, value)).toThrow(
        `${path}: ${name}: expected ${schemaOf(key.expects).doc().type}, not ${JSON.stringify(value)}`,
      );
    const preset = key.get(BASE);
    if (preset !== undefined) expect(key.get(readKey(key, preset).config)).toBe(preset);
  },
);

test("unknown keys produce a warning, even those that every object inherits", () => {
  writeFileSync(path, '{"daemon":{"prot":1,"toString":2},"budgets":{"week_usd":3},"deamon":{}}');
  const { config, warnings } = readSettings(path, BASE);
  expect(config).toEqual(BASE);
  expect(warnings.map((text) => text.replace(/^.*: unknown setting /, ""))).toEqual([
    "deamon; did you mean daemon?",
    "daemon.prot; did you mean daemon.port?",
    "daemon.toString",
    "budgets.week_usd",
  ]);
});

test.each([
  ["[]", "expected an object"],
  ['{"daemon":5}', "daemon: expected an object, not 5"],
  ['{"budgets":[]}', "budgets: expected an object, not []"],
])("%s is rejected", (text, message) => {
  writeFileSync(path, text);
  expect(() => readSettings(path, BASE)).toThrow(message);
});
