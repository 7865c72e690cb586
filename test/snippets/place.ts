import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
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
import { runMark } from "../run-mark.ts";
import type { Snippet } from "./page.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SDK = "@anthropic-ai/claude-agent-sdk";
/** A network namespace in which the ports that pages name are free and nothing outside can be reached. All that a page starts ends with it. */
const NAMESPACES = ["--net", "--pid", "--fork", "--kill-child", "--mount-proc"];
const AS_ROOT = process.getuid?.() === 0 ? [] : ["--map-root-user"];
const ALONE = [...NAMESPACES, ...AS_ROOT, "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
/** A page that takes longer is considered hung. */
const MOST_MS = 240_000;
/** npx takes a third of a second of CPU time to find what is in `.bin` anyway. */
const NPX = '#!/bin/sh\nexec "$@"\n';

/**
 * Runs the snippets of a page one after the other, as a reader would paste them into one shell in a checkout, with a separate home
 * folder. If one fails, throws what was printed.
 */
export async function paste(snippets: readonly Snippet[]): Promise<void> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-page-")));
  try {
    const bin = layOut(place);
    const script = join(place, "page.sh");
    writeFileSync(script, scriptOf(snippets, place));
    const child = spawn("unshare", [...ALONE, "bash", script], {
      cwd: place,
      env: {
        ...runMark(),
        PATH: `${bin}:${join(ROOT, "node_modules/.bin")}:${process.env.PATH}`,
        HOME: join(place, "home"),
        PLACE: place,
        NO_COLOR: "1",
        LANG: "C.UTF-8",
      },
      stdio: "ignore",
      // A shell that waits for its child does not react to signals.
      killSignal: "SIGKILL",
      timeout: MOST_MS,
    });
    const [code] = await once(child, "exit");
    if (code !== 0) throw new Error(readFileSync(join(place, "printed"), "utf8").slice(-4000));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/**
 * Makes the place look like a checkout in which files can be written without changing ours, with the official SDK installed. Returns a
 * folder of programs.
 */
function layOut(place: string): string {
  for (const name of readdirSync(ROOT))
    if (name !== "node_modules" && name !== ".git") symlinkSync(join(ROOT, name), join(place, name));
  const modules = join(place, "node_modules");
  mkdirSync(join(modules, "@anthropic-ai"), { recursive: true });
  for (const name of readdirSync(join(ROOT, "node_modules")))
    if (name !== "@anthropic-ai") symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  for (const name of readdirSync(join(ROOT, "node_modules/@anthropic-ai")))
    symlinkSync(join(ROOT, "node_modules/@anthropic-ai", name), join(modules, "@anthropic-ai", name));
  symlinkSync(join(ROOT, "test/interop/node_modules", SDK), join(modules, SDK));
  mkdirSync(join(place, "home"));
  execFileSync("git", ["init", "-q"], { cwd: place });
  const bin = join(place, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "npx"), NPX);
  chmodSync(join(bin, "npx"), 0o755);
  return bin;
}

function scriptOf(snippets: readonly Snippet[], place: string): string {
  const parts = snippets.map(({ language, code, line, savedAs }) => {
    const file = savedAs ?? (language === "js" ? `snippet-${line}.mjs` : `snippet-${line}.py`);
    if (savedAs || language !== "sh") writeFileSync(join(place, file), code);
    const command =
      { sh: code, js: `node "$PLACE/${file}"\n`, python: `python3 "$PLACE/${file}"\n` }[language] ?? "";
    return `echo "@@ line ${line}"\n${command}`;
  });
  return `set -eo pipefail
exec >"$PLACE/printed" 2>&1
trap 'status=$?; cd "$PLACE"; agentwire daemon stop --now >/dev/null 2>&1; exit $status' EXIT
${parts.join("")}`;
}
