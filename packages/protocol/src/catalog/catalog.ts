import { array } from "../schema/collection.ts";
import { defaulted, object, optional } from "../schema/object.ts";
import { boolean, oneOf, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";

/** The named levels of how hard a model thinks. */
export const effortLevel = oneOf("low", "medium", "high", "xhigh", "max");

/** A kind of subagent that the session can start. */
export const agentInfo = object({
  name: string,
  description: defaulted(string, ""),
  model: optional(string, "alias, id or `inherit`"),
});

/** A kind of subagent that the session can start. */
export type AgentInfo = Infer<typeof agentInfo>;

/** A model that the session can switch to. */
export const modelInfo = object({
  value: string,
  displayName: defaulted(string, ""),
  description: defaulted(string, ""),
  resolvedModel: optional(string, "the id behind an alias"),
  supportsEffort: optional(boolean),
  supportedEffortLevels: optional(array(effortLevel)),
  supportsAdaptiveThinking: optional(boolean),
  supportsFastMode: optional(boolean),
  supportsAutoMode: optional(boolean),
  supportsThinkingOff: optional(boolean),
});

/** A model that the session can switch to. */
export type ModelInfo = Infer<typeof modelInfo>;

/** The account whose credentials the agent uses, as far as it reports it. */
export const accountInfo = object({
  email: optional(string),
  organization: optional(string),
  subscriptionType: optional(string),
  tokenSource: optional(string),
  apiKeySource: optional(string),
  apiProvider: optional(
    oneOf(
      "firstParty",
      "bedrock",
      "vertex",
      "foundry",
      "anthropicAws",
      "anthropicGoogleCloud",
      "mantle",
      "gateway",
    ),
  ),
});

/** The account whose credentials the agent uses, as far as it reports it. */
export type AccountInfo = Infer<typeof accountInfo>;

/** An error in a settings file, which is then left out of the merge. */
export const settingsError = object({
  file: optional(string),
  path: defaulted(string, ""),
  message: defaulted(string, ""),
});

/** A command or skill that a user may type after a slash. */
export const slashCommand = object({
  name: string,
  description: defaulted(string, ""),
  argumentHint: defaulted(string, ""),
  aliases: optional(array(string)),
  builtin: optional(boolean, "true for the agent's own commands"),
});

/** A command or skill that a user may type after a slash. */
export type SlashCommand = Infer<typeof slashCommand>;
