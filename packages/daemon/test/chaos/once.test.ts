import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { Lab, randomFrom, TINY_AGENT } from "./lab.ts";

const SEED = Number(process.env.AGENTWIRE_CHAOS_SEED) || Date.now() % 1_000_000;
const ROUNDS = 6;
/** Kills come within the time that a process needs to take its first prompt. */
const WINDOW_MS = 60;

/** How often each prompt was begun, as the agents themselves have written down. */
function runs(lab: Lab): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of readdirSync(lab.folder).filter((file) => file.endsWith(".conversation")))
    for (const id of readFileSync(join(lab.folder, name), "utf8").split("\n").filter(Boolean))
      counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

describe("the prompts of a daemon that is killed", { timeout: 120_000 }, () => {
  test.each([
    ["an agent that knows them again", {}],
    ["an agent that forgets them", { TINY_FORGETFUL: "1" }],
  ])("are never run twice by %s, whether or not it was started ahead", async (_, env) => {
    const random = randomFrom(SEED);
    const lab = new Lab({ agents: [{ ...TINY_AGENT, env }], spareProcesses: 1, maxProcesses: 6 });
    onTestFinished(() => lab.end());
    await lab.start();
    for (let round = 0; round < ROUNDS; round++) {
      const { session } = await lab.sessions.createSession({ cwd: lab.folder });
      const sessionId = session?.id ?? "";
      // The process that was started ahead is there by then, or not.
      await delay(random() * 600);
      const prompts = ["talk 20", "talk 1"].map((text) => lab.sessions.sendPrompt({ sessionId, text }));
      const ids = (await Promise.all(prompts)).map(({ promptId }) => promptId);
      await delay(random() * WINDOW_MS);
      await lab.kill("SIGKILL");
      await lab.start();
      await lab.idle(sessionId);
      const counts = runs(lab);
      for (const id of ids) expect(counts.get(id) ?? 0, `seed ${SEED}, round ${round}`).toBeLessThan(2);
      // What had not been given to anybody is not lost.
      expect(counts.get(ids[1] ?? ""), `seed ${SEED}, round ${round}`).toBe(1);
    }
  });
});
