import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SessionStatus } from "@agentwire/api";
import { expect, onTestFinished, test } from "vitest";
import { Lab, TINY_AGENT } from "./lab.ts";

/** An agent that exits neither on SIGTERM nor when its stdin closes. */
const STUBBORN = `#!${process.execPath}
process.on("SIGTERM", () => {});
if (!process.argv.includes("--version")) {
  process.exit = () => {};
  setInterval(() => {}, 1000);
}
import(${JSON.stringify(TINY_AGENT.path)});
`;

test("a daemon resumes the sessions of a killed one after their last agent is gone, however it ended", async () => {
  const place = mkdtempSync(join(tmpdir(), "agentwire-stubborn-"));
  const path = join(place, "stubborn");
  writeFileSync(path, STUBBORN, { mode: 0o755 });
  const lab = new Lab({ agents: [{ name: "stubborn", path }], spareProcesses: 0 });
  onTestFinished(async () => {
    await lab.end();
    rmSync(place, { recursive: true });
  });
  await lab.start();
  const { session } = await lab.sessions.createSession({ cwd: lab.folder });
  const sessionId = session?.id ?? "";
  await lab.sessions.sendPrompt({ sessionId, text: "ask 1" });
  const isAsking = async () =>
    (await lab.sessions.getSession({ sessionId })).session?.status === SessionStatus.ASKING;
  await expect.poll(isAsking, { timeout: 20_000 }).toBe(true);
  await lab.sessions.sendPrompt({ sessionId, text: "talk 1" });
  const old = lab.agents();
  expect(old).toHaveLength(1);
  // Without the guard of the killed daemon, only the next daemon can end them.
  const guards = lab.guards();
  await lab.kill("SIGKILL");
  for (const guard of guards) process.kill(guard, "SIGKILL");
  await lab.start();
  for (const pid of old) expect(lab.agents()).not.toContain(pid);
  await lab.idle(sessionId);
  expect(readdirSync(join(lab.folder, "agents"))).toEqual(lab.agents().map(String));
}, 60_000);
