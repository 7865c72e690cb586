import { startFold } from "../fold.ts";
import type { ModelClient } from "../request.ts";
import { type Ability, TRIALS, type TrialPlan } from "./trials.ts";

/** Whether a model has an ability, and if not, why. */
export interface Trial {
  readonly ability: Ability;
  readonly works: boolean;
  readonly why?: string;
  readonly ms: number;
}

/** The abilities of a model. */
export interface ModelProbe {
  /** How long its first token took; undefined if none arrived. */
  readonly firstTokenMs: number | undefined;
  readonly trials: readonly Trial[];
}

/** Tests a model for each ability; stops if it can't even reply with text. */
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
      // A model that can't reply at all is not tested further.
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
