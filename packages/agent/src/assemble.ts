import { randomUUID } from "node:crypto";
import { NO_USAGE, type ResultMessage } from "@agentwire/protocol";
import { Assembly } from "./assembly.ts";
import type { Config } from "./config.ts";
import type { HostLink } from "./host-link.ts";
import { chooseModel } from "./model/choose-model.ts";
import { modelSources } from "./model-sources.ts";
import { openConversation } from "./open-conversation.ts";
import type { Runtime } from "./runtime.ts";
import { loadSettings, MANAGED_SETTINGS_PATH } from "./settings/load.ts";

/** An agent that is ready to serve, with what its surroundings have to tell it. */
export interface ReadyAgent {
  readonly kind: "ready";
  readonly runtime: Runtime;
  /** Says that no more prompts come from outside. */
  inputEnded(): void;
  /** Ends everything the session started. */
  close(): Promise<void>;
}

/** An agent, or the one result with which it refuses to start. */
export type Assembled = ReadyAgent | { readonly kind: "refused"; readonly result: ResultMessage };

/** Puts an agent together. The order of construction is all here; what the parts do is not. */
export async function assemble(
  config: Config,
  host: HostLink,
  complain: (text: string) => void,
): Promise<Assembled> {
  const { flags, cwd, configDir } = config;
  const [opening, settings, choice] = await Promise.all([
    openConversation(config),
    loadSettings({
      configDir,
      cwd,
      managedPath: MANAGED_SETTINGS_PATH,
      ...(flags.text("setting-sources") !== undefined && { sources: flags.text("setting-sources") }),
      ...(flags.text("settings") !== undefined && { flag: flags.text("settings") }),
      ...(flags.text("managed-settings") !== undefined && { managed: flags.text("managed-settings") }),
    }),
    chooseModel(modelSources(config)),
  ]);
  if (opening.kind === "refused") return { kind: "refused", result: refusal(opening.reason) };
  for (const { path, message } of settings.errors) complain(`agentwire-agent: ${path}: ${message}\n`);
  if (choice.kind === "offline")
    complain(
      "agentwire-agent: no API key is set, so the offline model answers; set ANTHROPIC_API_KEY to talk to Claude\n",
    );
  return new Assembly(config, host, complain, opening, settings, choice.model).build();
}

function refusal(reason: string): ResultMessage {
  return {
    type: "result",
    subtype: "error_during_execution",
    is_error: true,
    errors: [reason],
    duration_ms: 0,
    duration_api_ms: 0,
    num_turns: 0,
    stop_reason: null,
    total_cost_usd: 0,
    usage: NO_USAGE,
    modelUsage: {},
    permission_denials: [],
    session_id: randomUUID(),
    uuid: randomUUID(),
  };
}
