import { startFold } from "../fold.ts";
import type { ModelClient } from "../request.ts";
import { type Ability, TRIALS, type TrialPlan } from "./trials.ts";

/** Whether a model can do something, and if not, why. */
export interface Trial {
  readonly ability: Ability;
  readonly works: boolean;
  readonly why?: string;
  readonly ms: number;
}

/** What a model can do. */
export interface ModelProbe {
  /** How long its first token took; undefined if none came. */
  readonly firstTokenMs: number | undefined;
  readonly trials: readonly Trial[];
}

/** Asks a model for everything that it may be able to do; after a text that fails, for nothing more. */
export async function probeModel(
  client: ModelClient,
  model: string,
  limitMs: number,
  signal: AbortSignal,
): Promise<ModelProbe> {
  const trials: Trial[] = [];
  let firstTokenMs: number | undefined;
  for (const plan of TRIALS) {
    const begunAt = performance.now();
    const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
    try {
      const tried = await attempt(client, model, plan, limit);
      firstTokenMs ??= tried.firstTokenMs;
      trials.push(trialOf(plan, tried.fault, begunAt));
    } catch (error) {
      signal.throwIfAborted();
      const why = limit.aborted
        ? `no reply within ${limitMs / 1000} seconds`
        : String((error as Error).message);
      trials.push(trialOf(plan, why, begunAt));
      // A model that can't say a word is not asked for more.
      if (plan.ability === "text") break;
    }
  }
  return { firstTokenMs, trials };
}

const trialOf = ({ ability }: TrialPlan, why: string | undefined, begunAt: number): Trial => ({
  ability,
  works: why === undefined,
  ...(why !== undefined && { why }),
  ms: Math.round(performance.now() - begunAt),
});

async function attempt(
  client: ModelClient,
  model: string,
  { request, fault }: TrialPlan,
  signal: AbortSignal,
) {
  const begunAt = performance.now();
  const fold = startFold();
  let pieces = 0;
  let firstTokenMs: number | undefined;
  const { events } = await client.send({ ...request, model }, signal);
  for await (const event of events) {
    fold.push(event);
    if (event.type !== "content_block_delta") continue;
    firstTokenMs ??= Math.round(performance.now() - begunAt);
    if (event.delta.type === "text_delta") pieces++;
  }
  return { firstTokenMs, fault: fault(fold.message, pieces) };
}
