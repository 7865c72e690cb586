import type { Command } from "../command.ts";

export const MODELS: Command = {
  name: "models",
  summary: "lists the models that can be reached, and tests them",
  details: `Asks the providers in the settings (providers), those whose variable is set (ANTHROPIC_API_KEY, OPENAI_API_KEY,
OPENROUTER_API_KEY, …), and the servers that run on this machine (Ollama, LM Studio, vLLM, llama.cpp).
Exit: 0 models were found, 1 none were.`,
  options: [{ name: "provider", value: "NAME", summary: "only those of this provider" }],
  examples: [
    "agentwire models",
    "agentwire models --provider ollama",
    "agentwire models --json | jq -r '.models[].name'",
  ],
  run: async (call) => (await import("../models/list.ts")).list(call),
  subcommands: [
    {
      name: "test",
      summary:
        "shows what a model can do: text, streaming, tool calls, images, thinking, time to first token",
      args: "NAME",
      count: [1, 1],
      details: `Sends five short requests, a few hundred tokens in all.
Exit: 0 it can do what an agent needs (text and tool calls), 1 it can't.`,
      options: [{ name: "seconds", value: "N", summary: "how long one reply may take (120)" }],
      examples: ["agentwire models test ollama/qwen3-coder", "agentwire models test openai/gpt-5 --json"],
      run: async (call) => (await import("../models/test.ts")).test(call),
    },
  ],
};
