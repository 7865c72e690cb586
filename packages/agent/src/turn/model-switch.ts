import { NO_USAGE } from "@agentwire/protocol/messages";
import type { ModelRejection } from "../model/model-state.ts";
import type { Services } from "./conversation.ts";
import type { History } from "./history.ts";

/** Who switches the model: a slash command, the host, or the agent because the previous one is unavailable. */
export type SwitchSource = "command" | "sdk" | "auto";

/** The parts of a session that a switch of its model affects. */
export interface Switchable extends Pick<Services, "hooks" | "models" | "costs"> {
  readonly history: History;
}

/** Switches the model, unless a hook objects or the model does not exist; returns the reason if not. */
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
    // Nobody can be asked here: if a hook requires a confirmation, the switch is refused.
    if (said.decision === "deny" || said.decision === "ask" || said.block)
      return { code: "blocked_by_hook", message: refusal(to, said.reason ?? said.block?.reason) };
  }
  const refused = await models.set(wanted);
  if (refused) return refused;
  await afterSwitch(session, { from, to, wanted: wanted ?? null, source }, signal);
  return undefined;
}

/** A completed switch of the model. */
export interface ModelSwitched {
  readonly from: string;
  readonly to: string;
  /** The requested name; null for the session's own model. */
  readonly wanted: string | null;
  readonly source: SwitchSource;
}

/** Runs the hooks after a switch; the context they add is sent to the model with the next prompt or result. */
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
