import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { NotMeasured, summary } from "./measure.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const ASSETS = join(ROOT, "packages/web/dist/assets");

/** The budgets of the console. */
export const figures = [
  {
    name: "console: a delta is on the screen after the daemon numbered it",
    unit: "ms",
    target: 50,
    better: "less",
    measure: async () => ({ ours: summary(await delays()) }),
  },
  {
    name: "console: a list of 10,000 sessions is there after the page is asked for",
    unit: "ms",
    target: 1500,
    better: "less",
    measure: async () => ({ ours: summary((await budgets()).listMs) }),
  },
  {
    name: "console: a session of 100,000 events is shown at its end",
    unit: "ms",
    target: 1000,
    better: "less",
    measure: async () => ({ ours: summary((await budgets()).openMs) }),
  },
  {
    name: "console: p95 of a frame while such a session is scrolled",
    unit: "ms",
    target: 33,
    better: "less",
    measure: async () => ({ ours: summary([p95((await budgets()).frameMs)]) }),
  },
  {
    name: "console: p95 of a key until it is painted, in such a session",
    unit: "ms",
    target: 40,
    better: "less",
    measure: async () => ({ ours: summary([p95((await budgets()).keyMs)]) }),
  },
  {
    name: "console: compressed script of the first load",
    unit: "KB",
    target: 120,
    better: "less",
    measure: async () => ({ ours: summary([await scriptKilobytes()]) }),
  },
];

const delays = async () => (await measured("measures", "AGENTWIRE_MEASURES")).delaysMs;

let measuredBudgets;
/** Four figures come from one run. */
const budgets = () => {
  measuredBudgets ??= measured("budgets", "AGENTWIRE_BUDGETS");
  return measuredBudgets;
};

const p95 = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)];

/** The measurements are made by a browser test, which is run on its own here. */
async function measured(name, variable) {
  const folder = await mkdtemp(join(tmpdir(), "agentwire-bench-web-"));
  const report = join(folder, "measures.json");
  try {
    await promisify(execFile)("npx", ["vitest", "run", `packages/web/test/browser/${name}.test.ts`], {
      cwd: ROOT,
      env: { ...process.env, [variable]: report },
    }).catch(() => {});
    return JSON.parse(await readFile(report, "utf8"));
  } catch (error) {
    throw new NotMeasured(`no browser: ${error.message}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function scriptKilobytes() {
  // What the page refers to is loaded with it; everything else is loaded on demand.
  const page = await readFile(join(ASSETS, "../index.html"), "utf8");
  const scripts = [...page.matchAll(/(?:src|href)="\/assets\/([^"]+\.js)"/g)].map(([, name]) => name);
  const sizes = await Promise.all(
    scripts.map(async (name) => gzipSync(await readFile(join(ASSETS, name))).length),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}
