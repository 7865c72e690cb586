import fc from "fast-check";
import { test } from "vitest";
import { times } from "../../../../test/times.ts";
import { SEED } from "../seed.ts";
import { type Plan, plans } from "./interleaving/plan.ts";
import { expectRulesKept } from "./interleaving/rules.ts";
import { Partner } from "./interleaving/talk.ts";

/** After this many conversations the history is long enough to slow down the next ones. */
const TALKS_PER_PROCESS = 40;

/** Plays any number of conversations, one after the other, with as few processes as possible. */
function newLane(): (plan: Plan) => Promise<void> {
  let partner: Partner | undefined;
  return async (plan) => {
    partner ??= await Partner.start();
    const current = partner;
    if (plan.closes || current.talks >= TALKS_PER_PROCESS) partner = undefined;
    try {
      expectRulesKept(await current.play(plan));
    } catch (error) {
      // Its state is unknown.
      partner = undefined;
      throw error;
    } finally {
      if (partner === undefined) current.kill();
    }
  };
}

/** Two lanes in parallel, one for each core that is likely available. */
async function playInLanes(runs: number, closes: boolean): Promise<void> {
  const lanes = [SEED, SEED + 1_000_000].map((seed) =>
    fc.assert(fc.asyncProperty(plans(closes), newLane()), { seed, numRuns: runs }),
  );
  for (const end of await Promise.allSettled(lanes)) if (end.status === "rejected") throw end.reason;
}

test(
  "for any host, model and timing, every turn has one result and every prompt ends once",
  {
    timeout: 170_000,
  },
  () => playInLanes(times(50, 160), false),
);

test(
  "the same applies if the host closes its end at any moment",
  {
    timeout: 120_000,
  },
  () => playInLanes(times(8, 20), true),
);
