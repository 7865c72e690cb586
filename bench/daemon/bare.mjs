import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("bare-fanout.mjs", import.meta.url));
const AGENT = fileURLToPath(new URL("flood-agent.mjs", import.meta.url));

/** Calls a function with the reference for a daemon's fan-out: where to watch, and how to make its agent stream. */
export async function withBareFanout(use) {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-bench-bare-"));
  const socketPath = join(folder, "bare.sock");
  const child = spawn(process.execPath, [PROGRAM, socketPath, AGENT], { stdio: ["pipe", "pipe", "inherit"] });
  try {
    await once(child.stdout, "data");
    return await use({ socketPath, prompt: (text) => void child.stdin.write(`${text}\n`) });
  } finally {
    const exited = once(child, "exit");
    child.stdin.end();
    await exited;
    rmSync(folder, { recursive: true });
  }
}
