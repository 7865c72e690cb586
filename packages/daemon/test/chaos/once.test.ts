import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { PromptState } from "@agentwire/api";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { Lab, randomFrom, TINY_AGENT } from "./lab.ts";

const SEED = Number(process.env.AGENTWIRE_CHAOS_SEED) || Date.now() % 1_000_000;
const ROUNDS = 6;
/** Kills happen within the time that a process needs to accept its first prompt. */
const WINDOW_MS = 60;

/** How often each prompt was started, according to the agents' own records. */
function runs(lab: Lab): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of readdirSync(lab.folder).filter((file) => file.endsWith(".conversation")))
    for (const id of readFileSync(join(lab.folder, name), "utf8").split("\n").filter(Boolean))
      counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** The prompts stored as started before that time: the daemon stores this before it sends one to an agent that forgets. */
async function begunBefore(lab: Lab, sessionId: string, timeMs: number): Promise<ReadonlySet<string>> {
  const { events } = await lab.sessions.listEvents({ sessionId, pageSize: 1000 });
  return new Set(
    events.flatMap(({ body, time }) =>
      body.case === "promptChange" &&
      body.value.state === PromptState.STARTED &&
      time !== undefined &&
      timestampMs(time) <= timeMs
        ? [body.value.promptId]
        : [],
    ),
  );
}

describe("prompts of a killed daemon", { timeout: 600_000 }, () => {
  test.concurrent.for<[string, Readonly<Record<string, string>>]>([
    ["exactly once by an agent that recognizes prompts it has seen", {}],
    ["exactly once by a forgetful agent, or at most once if stored as started", { TINY_FORGETFUL: "1" }],
  ])("run %s, with or without a spare process", async ([, env], { onTestFinished }) => {
    const random = randomFrom(SEED);
    const lab = new Lab({ agents: [{ ...TINY_AGENT, env }], spareProcesses: 1, maxProcesses: 6 });
    onTestFinished(() => lab.end());
    await lab.start();
    for (let round = 0; round < ROUNDS; round++) {
      const { session } = await lab.sessions.createSession({ cwd: lab.folder });
      const sessionId = session?.id ?? "";
      // The spare process may or may not be running by then.
      await delay(random() * 600);
      // They may arrive in either order, and the agent may have both when the daemon is killed.
      const prompts = ["talk 20", "talk 1"].map((text) => lab.sessions.sendPrompt({ sessionId, text }));
      const ids = (await Promise.all(prompts)).map(({ promptId }) => promptId);
      await delay(random() * WINDOW_MS);
      await lab.kill("SIGKILL");
      const killedMs = Date.now();
      await lab.start();
      await lab.idle(sessionId);
      const counts = runs(lab);
      const mayBeCutOff = "TINY_FORGETFUL" in env ? await begunBefore(lab, sessionId, killedMs) : new Set();
      for (const id of ids) {
        const expected = mayBeCutOff.has(id) ? [0, 1] : [1];
        expect(expected, `seed ${SEED}, round ${round}`).toContain(counts.get(id) ?? 0);
      }
    }
  });
});
