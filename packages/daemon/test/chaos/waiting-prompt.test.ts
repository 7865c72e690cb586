import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { PromptState } from "@agentwire/api";
import type { ScriptStep } from "@agentwire/models/script";
import { describe, expect, onTestFinished, test } from "vitest";
import { calls, says } from "../../../conformance/src/scripted-api/script.ts";
import { startScriptedApi } from "../../../conformance/src/scripted-api/server.ts";
import { Lab } from "./lab.ts";

const OWN_AGENT = fileURLToPath(new URL("../../../agent/bin/agentwire-agent", import.meta.url));
const bash = (command: string) => calls("Bash", { command, description: "Run a command" });
const WORK = bash("touch running; while [ ! -e finish ]; do sleep 0.02; done");
const NEXT = [bash("echo ran >> runs"), says("It ran.")];

/** A daemon with the built-in agent, whose model follows one script across all processes. */
async function labOf(steps: readonly ScriptStep[], args: readonly string[] = []): Promise<Lab> {
  const api = await startScriptedApi({ steps });
  onTestFinished(() => api.close());
  const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: "test-key" };
  const agent = {
    name: "own",
    path: OWN_AGENT,
    args: ["--allow-dangerously-skip-permissions", ...args],
    env,
  };
  const lab = new Lab({ agents: [agent] });
  onTestFinished(() => lab.end());
  await lab.start();
  return lab;
}

async function file(lab: Lab, name: string): Promise<void> {
  while (!existsSync(join(lab.folder, name))) await delay(10);
}

/** A session whose tool runs while a second prompt waits. */
async function busySession(lab: Lab) {
  const { session } = await lab.sessions.createSession({
    cwd: lab.folder,
    permissionMode: "bypassPermissions",
  });
  const sessionId = session?.id ?? "";
  const first = await lab.sessions.sendPrompt({ sessionId, text: "work" });
  await file(lab, "running");
  const second = await lab.sessions.sendPrompt({ sessionId, text: "and then" });
  // Long enough for the agent to receive it.
  await delay(300);
  return { sessionId, first: first.promptId, second: second.promptId };
}

/** The final state of each prompt. */
async function fates(lab: Lab, sessionId: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const { events } = await lab.sessions.listEvents({ sessionId, pageSize: 1000 });
  for (const { body } of events)
    if (body.case === "promptChange") found.set(body.value.promptId, PromptState[body.value.state] ?? "");
  return found;
}

describe("a prompt that waits in the built-in agent while a tool runs", { timeout: 60_000 }, () => {
  test.each([
    ["is stopped at once", "SIGTERM", [WORK, ...NEXT], "CANCELLED"],
    ["is killed", "SIGKILL", [WORK, ...NEXT], "CANCELLED"],
    ["is stopped after the current turn", "SIGINT", [WORK, says("Done."), ...NEXT], "COMPLETED"],
  ] as const)("runs exactly once after a daemon that %s", async (_, signal, steps, fate) => {
    const lab = await labOf(steps);
    const { sessionId, first, second } = await busySession(lab);
    const ended = lab.kill(signal);
    if (signal === "SIGINT") {
      // By then the daemon is stopping.
      await delay(500);
      writeFileSync(join(lab.folder, "finish"), "");
    }
    await ended;
    expect(await lab.noAgents()).toEqual([]);
    expect(existsSync(join(lab.folder, "runs"))).toBe(false);
    await lab.start();
    await lab.idle(sessionId);
    expect(readFileSync(join(lab.folder, "runs"), "utf8")).toBe("ran\n");
    const became = await fates(lab, sessionId);
    expect([became.get(first), became.get(second)]).toEqual([fate, "COMPLETED"]);
  });
});
