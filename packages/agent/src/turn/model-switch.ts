import { NO_USAGE } from "@agentwire/protocol/messages";
import type { ModelRejection } from "../model/model-state.ts";
import type { Services } from "./conversation.ts";
import type { History } from "./history.ts";

/** Who switches the model: a slash command, the host, or the agent for want of the one it had. */
export type SwitchSource = "command" | "sdk" | "auto";

/** What of a session a switch of its model touches. */
export interface Switchable extends Pick<Services, "hooks" | "models" | "costs"> {
  readonly history: History;
}

/** Switches the model, unless a hook objects or there is no such model; returns why not. */
export async function switchModel(
  session: Switchable,
  wanted: string | null | undefined,
  source: SwitchSource,
  signal: AbortSignal,
): Promise<ModelRejection | undefined> {
  const { hooks, models } = session;
  const from = models.current;
  const to = models.meantBy(wanted);
  if (hooks.listens("PreModelSwitch")) {
    const facts = switchFacts(session, { from, to, wanted: wanted ?? null, source });
    const said = await hooks.run("PreModelSwitch", facts, { signal });
    // Nobody is here to be asked: what a hook wants to have confirmed does not happen.
    if (said.decision === "deny" || said.decision === "ask" || said.block)
      return { code: "blocked_by_hook", message: refusal(to, said.reason ?? said.block?.reason) };
  }
  const refused = await models.set(wanted);
  if (refused) return refused;
  await afterSwitch(session, { from, to, wanted: wanted ?? null, source }, signal);
  return undefined;
}

/** A switch of the model that has been made. */
export interface ModelSwitched {
  readonly from: string;
  readonly to: string;
  /** As it was asked for; null for the session's own. */
  readonly wanted: string | null;
  readonly source: SwitchSource;
}

/** Tells the hooks of a switch; what they add is said to the model with the next prompt or result. */
export async function afterSwitch(
  session: Switchable,
  switched: ModelSwitched,
  signal: AbortSignal,
): Promise<void> {
  const { hooks } = session;
  if (switched.from === switched.to || !hooks.listens("PostModelSwitch")) return;
  const said = await hooks.run("PostModelSwitch", switchFacts(session, switched), { signal });
  session.history.remark(said.context);
}

function switchFacts({ costs, models }: Switchable, { from, to, wanted, source }: ModelSwitched) {
  const { contextTokens } = costs;
  const cost = models.catalog.costOf(to, { ...NO_USAGE, cache_creation_input_tokens: contextTokens });
  return {
    from_model: from,
    to_model: to,
    requested_model: wanted,
    source,
    context_tokens: contextTokens,
    prompt_cache_warm: contextTokens > 0,
    cache_ttl: "5m",
    estimated_cache_write_usd: cost ?? 0,
    pricing: cost === undefined ? "default" : "catalog",
  };
}

const refusal = (model: string, reason: string | undefined) =>
  `A hook prevents the switch to ${model}${reason === undefined ? "" : `: ${reason}`}`;
