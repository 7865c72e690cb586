import { DEFAULT_PROVIDER, type Provider, USUAL_QUIRKS } from "./provider.ts";
import type { Environment } from "./read-provider.ts";

/** Claude at the Messages API, configured by the official variables; undefined if none of them is set. */
export function claudeProvider(env: Environment): Provider | undefined {
  const { ANTHROPIC_API_KEY: key, ANTHROPIC_AUTH_TOKEN: token, ANTHROPIC_BASE_URL: address } = env;
  if (!key && !token && !address) return undefined;
  return {
    name: DEFAULT_PROVIDER,
    wire: "messages",
    baseUrl: (address || "https://api.anthropic.com").replace(/\/+$/, ""),
    headers: {
      "anthropic-version": "2023-06-01",
      ...(key && { "x-api-key": key }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    quirks: USUAL_QUIRKS,
    models: {},
  };
}
