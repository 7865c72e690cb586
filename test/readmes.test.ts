import { execFile } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runMark } from "./run-mark.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const AGENTWIRE = join(ROOT, "packages/cli/bin/agentwire");
/** The programs, as installed. */
const PROGRAMS = join(ROOT, "node_modules/.bin");

/** A project with our packages, a separate home folder and no key. */
let project = "";
const run = (program: string, args: readonly string[]) =>
  promisify(execFile)(program, args, {
    cwd: project,
    env: {
      ...runMark(),
      PATH: `${PROGRAMS}:${process.env.PATH}`,
      HOME: project,
      AGENTWIRE_HOME: join(project, "state"),
    },
    timeout: 60_000,
  });

beforeEach(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-readme-")));
  symlinkSync(join(ROOT, "node_modules"), join(project, "node_modules"));
});

afterEach(async () => {
  // A snippet that fails leaves its daemon running.
  if (existsSync(join(project, "state/daemon.json")))
    await run(process.execPath, [AGENTWIRE, "daemon", "stop", "--now"]);
  rmSync(project, { recursive: true, force: true });
});

test.each(readdirSync(join(ROOT, "packages")))(
  "the README of %s works as pasted",
  async (name) => {
    const readme = readFileSync(join(ROOT, "packages", name, "README.md"), "utf8");
    const snippets = [...readme.matchAll(/^```(js|sh)\n([\s\S]*?)^```/gm)];
    expect(snippets).not.toEqual([]);
    for (const [, language, code = ""] of snippets) {
      const file = join(project, language === "js" ? "snippet.mjs" : "snippet.sh");
      writeFileSync(file, code);
      const { stdout } =
        language === "js" ? await run(process.execPath, [file]) : await run("sh", ["-e", file]);
      expect(stdout, code).not.toBe("");
    }
  },
  120_000,
);
