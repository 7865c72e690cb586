import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { defaultConfig } from "../src/config.ts";
import { expectation, SETTING_KEYS, type SettingKey } from "../src/setting-keys.ts";
import { readSettings } from "../src/settings.ts";

const DEFAULTS = defaultConfig({ HOME: "/home/somebody" }, "/");

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-settings-"));
  file = join(folder, "settings.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

const [SECTION, NAME] = [0, 1];

function read({ path }: SettingKey, value: unknown) {
  const words = path.split(".");
  writeFileSync(file, JSON.stringify({ [words[SECTION] ?? ""]: { [words[NAME] ?? ""]: value } }));
  return readSettings(file, DEFAULTS);
}

/** Values that are just allowed, and some that are not. */
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
  "%s is read within its limits alone",
  (path, key) => {
    const { good, bad } = samples(key);
    for (const value of good) {
      const { config, warnings } = read(key, value);
      expect(key.get(config)).toBe(value);
      expect(warnings).toEqual([]);
    }
    for (const value of bad)
      expect(() => read(key, value)).toThrow(
        `${file}: ${path}: expected ${expectation(key.expects)}, not ${JSON.stringify(value)}`,
      );
    const preset = key.get(DEFAULTS);
    if (preset !== undefined) expect(key.get(read(key, preset).config)).toBe(preset);
  },
);

test("keys that nobody knows are warned of, also those that every object has", () => {
  writeFileSync(file, '{"daemon":{"prot":1,"toString":2},"budgets":{"week_usd":3},"deamon":{}}');
  const { config, warnings } = readSettings(file, DEFAULTS);
  expect(config).toEqual(DEFAULTS);
  expect(warnings.map((text) => text.split(" ").at(-1))).toEqual([
    "deamon",
    "daemon.prot",
    "daemon.toString",
    "budgets.week_usd",
  ]);
});

test.each([
  ["[]", "expected an object"],
  ['{"daemon":5}', "daemon: expected an object, not 5"],
  ['{"budgets":[]}', "budgets: expected an object, not []"],
])("%s is refused", (text, message) => {
  writeFileSync(file, text);
  expect(() => readSettings(file, DEFAULTS)).toThrow(message);
});

test("the operating guide lists every key with its limits, its default and whether it can be reloaded", () => {
  const guide = readFileSync(new URL("../../../docs/guides/operating.md", import.meta.url), "utf8");
  const rows = SETTING_KEYS.map(({ path, expects, about, isLive, get }) => {
    const preset = get(DEFAULTS);
    return `| \`${path}\` | ${about} | ${expectation(expects)} | ${preset ?? "–"} | ${isLive ? "yes" : "no"} |`;
  });
  expect(guide.split("\n").filter((line) => /^\| `(daemon|budgets)\./.test(line))).toEqual(rows);
});
