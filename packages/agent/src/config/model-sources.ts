import type { JsonObject } from "@agentwire/protocol";
import type { ModelSources } from "../model/choose-model.ts";
import { cloudIn } from "../model/clouds.ts";
import { readCustomHeaders } from "../model/custom-headers.ts";
import { namedModel } from "../model/model-names.ts";
import type { Config } from "./config.ts";
import { wholeNumber } from "./flag-values.ts";

/** Where replies come from, as the command line, the environment and the settings say. */
export function modelSources(config: Config, { model, providers, apiKeyHelper }: JsonObject): ModelSources {
  const { flags, env, cwd, modelNames } = config;
  const script = flags.text("script") ?? env.AGENTWIRE_SCRIPT;
  const wanted = config.model ?? (typeof model === "string" ? model : "default");
  return {
    ...(script && { script }),
    variables: new Map([["cwd", cwd]]),
    name: namedModel(modelNames, wanted),
    providers: { table: providers, env },
    env,
    cloud: cloudIn(env),
    ...(typeof apiKeyHelper === "string" && apiKeyHelper !== "" && { apiKeyHelper }),
    apiKeyHelperTtlMs: wholeNumber(env.CLAUDE_CODE_API_KEY_HELPER_TTL_MS),
    ...(env.ANTHROPIC_BASE_URL && { baseUrl: env.ANTHROPIC_BASE_URL }),
    ...(env.ANTHROPIC_API_KEY && { apiKey: env.ANTHROPIC_API_KEY }),
    ...(env.ANTHROPIC_AUTH_TOKEN && { authToken: env.ANTHROPIC_AUTH_TOKEN }),
    ...(env.ANTHROPIC_CUSTOM_HEADERS && { headers: readCustomHeaders(env.ANTHROPIC_CUSTOM_HEADERS) }),
  };
}
