import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type Trial, withTrial } from "../bench/daemon/trial.mjs";
import { NotMeasured } from "../bench/measure.mjs";
import { judge } from "../bench/report/judge.mjs";
import { page } from "../bench/report/markdown.mjs";
import { table } from "../bench/report/table.mjs";
import { replaceSection } from "../scripts/replace-section.mjs";

const RUN = fileURLToPath(new URL("../bench/run.mjs", import.meta.url));
const value = (median: number) => ({ median, min: median / 2, max: median * 2, samples: 3 });

const rows = await Promise.all(
  [
    { name: "start", target: 0.5, better: "less", reference: "theirs", ours: 10, theirs: 40 },
    { name: "rate", target: 3, reference: "theirs", ours: 2000, theirs: 1000 },
    { name: "recovery", target: 100, better: "less", ours: 35 },
  ].map(({ ours, theirs, ...figure }) => {
    const measure = async () => ({ ours: value(ours), ...(theirs && { reference: value(theirs) }) });
    return judge({ unit: "ms", ...figure, measure });
  }),
);

describe("a figure", () => {
  test("passes by its ratio to the reference, or by its value if it has no reference", () => {
    expect(rows.map(({ ratio, pass }) => [ratio, pass])).toEqual([
      [0.25, true],
      [2, false],
      [0.35, true],
    ]);
  });

  test("that can't be measured, fails or never ends counts as missing and does not pass", async () => {
    const thrown = (error: Error) =>
      judge({ name: "x", target: 1, unit: "ms", measure: () => Promise.reject(error) });
    expect(await thrown(new NotMeasured("no browser"))).toMatchObject({ missing: "no browser", pass: false });
    expect(await thrown(new Error("broken"))).toMatchObject({
      missing: expect.stringContaining("failed: Error: broken"),
      pass: false,
    });
    const endless = { name: "x", target: 1, unit: "ms", measure: () => new Promise<never>(() => {}) };
    expect(await judge(endless, 20)).toMatchObject({ missing: "no end after 0.02 s", pass: false });
  });
});

describe("the report", () => {
  test("lists median, spread, reference, ratio, target and verdict of each figure", () => {
    const [, start, rate, recovery, , tally] = table(rows).split("\n");
    expect(start?.split(/ {2,}/)).toEqual([
      "start",
      "10 [5–20] ms",
      "40 [20–80] ms, theirs",
      "0.25",
      "≤ 0.5",
      "pass",
    ]);
    expect(rate).toMatch(/2\.00 +≥ 3 +short$/);
    expect(recovery).toMatch(/0\.35 +≤ 100 ms +pass$/);
    expect(tally).toBe("2 of 3 pass, 1 short, 0 missing");
  });

  test("names the machine, the date and the versions on its page", () => {
    const machine = {
      cores: 2,
      memory_gb: 8,
      platform: "linux-x64",
      node: "v20.1.0",
      official_cli: "2.1.325",
      official_sdk: "0.3.325",
    };
    expect(page({ date: "2026-01-02T03:04:05Z", machine, figures: rows })).toMatch(
      /2026-01-02, 2 cores, 8 GB of memory, linux-x64, Node v20\.1\.0\n- official CLI 2\.1\.325/,
    );
  });

  test("replaces only its section of a page", () => {
    expect(replaceSection("a\n<!-- x -->\nold\n<!-- /x -->\nb\n", "x", "new")).toBe(
      "a\n<!-- x -->\n\nnew\n\n<!-- /x -->\nb\n",
    );
    expect(() => replaceSection("a\n", "x", "new")).toThrow("no section");
  });
});

test("every `npm run bench` command in README measures at least one figure", { timeout: 30_000 }, () => {
  const names = execFileSync(process.execPath, [RUN, "--list"], { encoding: "utf8" }).split("\n");
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const commands = [...readme.matchAll(/`npm run bench -- ([^-`][^`]*)`/g)].map(([, words]) => words ?? "");
  expect(commands.length).toBeGreaterThan(10);
  const idle = commands.filter(
    (words) => !names.some((name) => words.split(" ").every((word) => name.includes(word))),
  );
  expect(idle).toEqual([]);
});

describe("the daemon of a figure", () => {
  test("listens when the figure gets it, and is gone afterwards", async () => {
    const socket = await withTrial({}, async (trial: Trial) => {
      await trial.create();
      return trial.socketPath;
    });
    expect(existsSync(socket)).toBe(false);
  });

  test("reports why it does not start", async () => {
    const started = withTrial({ settings: { idle_seconds: "x" } }, async () => {});
    await expect(started).rejects.toThrow("daemon.idle_seconds");
  });
});
