import { setTimeout as delay } from "node:timers/promises";
import type { ScriptStep } from "@agentwire/models/script";
import { expect, test } from "vitest";
import { times } from "../../../../test/times.ts";
import { bash, playing, UNASKED } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { type Random, randomFrom } from "../random.ts";
import { SEED } from "../seed.ts";
import { readKept } from "./kept.ts";
import { close, databaseOf, of, startMiriad, user } from "./miriad-agent.ts";

const RUNS = times(12, 30);
const LANES = 3;
const MESSAGES = 8;

const STEPS: readonly ScriptStep[] = Array.from({ length: 20 }, (_, i) =>
  i % 2 === 0 ? { content: [bash("sleep 0.01")] } : { text: "Done.", chunkSize: 1, chunkDelay: 2 },
);

/** Kills an agent in the middle of its work, lets another one continue, and checks that nothing was lost. */
async function killOnce(random: Random): Promise<void> {
  const place = await newPlace();
  const args = [...UNASKED, ...(await playing(place, { steps: STEPS, whenExhausted: { text: "Done." } }))];
  const agent = startMiriad(place, { args });
  const texts = Array.from({ length: MESSAGES }, (_, i) => `message ${i}.`);
  for (const text of texts) {
    agent.send(user(text, random.pick(["a", "b"])));
    if (random.below(2) === 0) await delay(random.below(15));
  }
  await agent.line(({ type, subtype }) => type === "assistant" || subtype === "queued");
  await delay(random.below(120));
  agent.child.kill("SIGKILL");
  await agent.ended();
  // Messages are accepted in order, and the host was informed of those that were queued.
  const accepted = texts.slice(0, agent.lines.filter(of("queued")).length + 1);

  const next = startMiriad(place, { args });
  expect(await close(next)).toBe(0);
  const { answered, queued } = await readKept(databaseOf(place));
  expect(queued, "what still waits").toEqual([]);
  expect(answered.length, "what was answered twice").toBe(new Set(answered).size);
  expect(answered, "what was accepted").toEqual(expect.arrayContaining(accepted));
}

test("no accepted message is lost or answered twice, whenever the process is killed", {
  timeout: 120_000,
}, async () => {
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    const random = randomFrom(SEED + lane);
    for (let run = 0; run < RUNS / LANES; run++) await killOnce(random);
  });
  for (const end of await Promise.allSettled(lanes)) if (end.status === "rejected") throw end.reason;
});
