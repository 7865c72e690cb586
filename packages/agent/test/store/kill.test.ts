import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { projectFolder, sessionFile } from "@agentwire/local/transcript";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { fromSources } from "../../../../scripts/own-sources.mjs";
import { times } from "../../../../test/times.ts";
import { loadSession } from "../../src/store/load.ts";
import { newFolder } from "./folder.ts";
import { sessionIn } from "./writer.ts";

const RUNS = times(10, 30);

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** A program that appends to a session forever, and prints a letter for each flush. */
async function endlessWriter(folder: string): Promise<string> {
  const outfile = join(folder, "endless-writer.mjs");
  await build({
    entryPoints: [fromHere("endless-writer.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    plugins: [fromSources],
  });
  return outfile;
}

async function runAndKill(
  program: string,
  folder: string,
  sessionId: string,
  afterMs: number,
): Promise<void> {
  const child = spawn(process.execPath, [program, folder, sessionId], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  // This test is about a kill at any moment, so it does not wait for a certain one.
  setTimeout(() => child.kill("SIGKILL"), afterMs);
  child.stdout.resume();
  await once(child, "exit");
}

test(`a session survives a kill of its process at any moment, ${RUNS} times`, {
  timeout: 240_000,
}, async () => {
  const folder = await newFolder();
  const program = await endlessWriter(folder);
  const sessionId = "11111111-2222-4333-8444-555555555555";
  let known = 0;
  for (let run = 0; run < RUNS; run++) {
    await runAndKill(program, folder, sessionId, Math.random() * 25);
    const loading = await loadSession({ configDir: folder, cwd: folder, idOrTitle: sessionId });
    const { messages, promptIds } = sessionIn(loading);
    expect(promptIds.size).toBeGreaterThan(known);
    expect(messages.length).toBeGreaterThanOrEqual(promptIds.size);
    known = promptIds.size;
  }
  const lines = (await readFile(sessionFile(projectFolder(folder, folder), sessionId), "utf8"))
    .split("\n")
    .filter(Boolean);
  const torn = lines.filter((line) => !isWhole(line));
  expect(torn.length).toBeLessThanOrEqual(RUNS);
});

function isWhole(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
