import type { ModelSources } from "../model/choose-model.ts";
import { readCustomHeaders } from "../model/custom-headers.ts";
import type { Config } from "./config.ts";

/** Where replies come from, as the command line and the environment say. */
export function modelSources({ flags, env, cwd }: Config): ModelSources {
  const script = flags.text("script") ?? env.AGENTWIRE_SCRIPT;
  return {
    ...(script && { script }),
    variables: new Map([["cwd", cwd]]),
    ...(env.ANTHROPIC_BASE_URL && { baseUrl: env.ANTHROPIC_BASE_URL }),
    ...(env.ANTHROPIC_API_KEY && { apiKey: env.ANTHROPIC_API_KEY }),
    ...(env.ANTHROPIC_AUTH_TOKEN && { authToken: env.ANTHROPIC_AUTH_TOKEN }),
    ...(env.ANTHROPIC_CUSTOM_HEADERS && { headers: readCustomHeaders(env.ANTHROPIC_CUSTOM_HEADERS) }),
  };
}
