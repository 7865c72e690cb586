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

/** The console against its budgets. */
export const figures = [
  {
    name: "console: a delta is on the screen after the daemon numbered it",
    unit: "ms",
    target: 50,
    better: "less",
    measure: async () => ({ ours: summary(await delays()) }),
  },
  {
    name: "console: compressed script of the first load",
    unit: "KB",
    target: 120,
    better: "less",
    measure: async () => ({ ours: summary([await scriptKilobytes()]) }),
  },
];

/** The browser test measures; it is run here by itself. */
async function delays() {
  const folder = await mkdtemp(join(tmpdir(), "agentwire-bench-web-"));
  const report = join(folder, "measures.json");
  try {
    await promisify(execFile)("npx", ["vitest", "run", "packages/web/test/browser/measures.test.ts"], {
      cwd: ROOT,
      env: { ...process.env, AGENTWIRE_MEASURES: report },
    }).catch(() => {});
    return JSON.parse(await readFile(report, "utf8")).delaysMs;
  } catch (error) {
    throw new NotMeasured(`no browser: ${error.message}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function scriptKilobytes() {
  // What the page names is loaded with it; everything else is loaded when it is shown.
  const page = await readFile(join(ASSETS, "../index.html"), "utf8");
  const scripts = [...page.matchAll(/(?:src|href)="\/assets\/([^"]+\.js)"/g)].map(([, name]) => name);
  const sizes = await Promise.all(
    scripts.map(async (name) => gzipSync(await readFile(join(ASSETS, name))).length),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}
