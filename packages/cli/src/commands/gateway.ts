import type { Command } from "../command.ts";

export const GATEWAY: Command = {
  name: "gateway",
  summary: "serves the Messages API from the models of any provider, for claude and other clients",
  details: `Names with a provider, as in ollama/qwen3-coder, go to that provider; all other names, such as Claude's, go to --model.
Providers are those in the settings (providers) and those whose variable is set (OPENAI_API_KEY, OLLAMA_HOST, …).
Clients need the token: AGENTWIRE_GATEWAY_TOKEN, or a new one at each start. Ctrl-C stops the gateway.`,
  options: [
    { name: "model", value: "NAME", summary: "the model that serves names without a provider" },
    { name: "small-model", value: "NAME", summary: "the same for names of small, fast models (haiku)" },
    { name: "port", value: "N", summary: "the port to listen on (8788); 0 picks a free one" },
    { name: "host", value: "ADDRESS", summary: "the interface to listen on (127.0.0.1); there is no TLS" },
    { name: "max-calls", value: "N", summary: "how many calls may run at once (256)" },
  ],
  examples: [
    "agentwire gateway --model ollama/qwen3-coder",
    "agentwire gateway --model openrouter/moonshotai/kimi-k2 --small-model groq/llama-3.1-8b-instant",
    "ANTHROPIC_BASE_URL=http://127.0.0.1:8788 ANTHROPIC_AUTH_TOKEN=… claude",
  ],
  isLocal: true,
  run: async (call) => (await import("../gateway/gateway.ts")).gateway(call),
};
