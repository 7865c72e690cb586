import { fails, says } from "../scripted-api/script.ts";
import { prompts } from "./parts.ts";
import type { Scenario, Theme } from "./scenario.ts";

const REFUSAL = { stop_reason: "refusal" };

/** A model that stops because its safeguards prevent it from saying more. */
const refusals: readonly Scenario[] = [
  {
    name: "refusal",
    about: "a refused reply is shown and reported, and the agent makes one more request",
    steps: [says("No.", REFUSAL), says("Something else.")],
    flow: prompts("a"),
  },
  {
    name: "refusal-twice",
    about:
      "a second refusal ends the turn with an error, and a message reports that there is no fallback model",
    steps: [says("No.", REFUSAL), says("No.", REFUSAL)],
    flow: prompts("a"),
    expect: { exits: [1] },
  },
];

/** An API that fails, temporarily or permanently. */
export const apiErrors: Theme = {
  name: "api-errors",
  scenarios: [
    {
      name: "api-400",
      about: "a request that the API rejects as invalid is silently retried once",
      steps: [
        fails(400, "invalid_request_error", "messages.0: something is invalid"),
        says("fine again"),
        says("(scenario exhausted)"),
      ],
      flow: prompts("a", "b"),
    },
    {
      name: "api-400-too-long",
      about: "a request with a prompt that is too long is not retried",
      steps: [
        fails(400, "invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum", {
          repeat: 20,
        }),
      ],
      flow: prompts("a"),
      expect: { exits: [1] },
    },
    {
      name: "api-401",
      about: "a rejected API key is retried, then the turn fails and the process keeps running",
      env: { CLAUDE_CODE_MAX_RETRIES: "2" },
      steps: [fails(401, "authentication_error", "invalid x-api-key", { repeat: 50 })],
      flow: async ({ agent }) => {
        await agent.turn("a");
        return { alive: !(await agent.gone(500)) };
      },
      expect: { exits: [1], facts: { alive: true } },
    },
    {
      name: "api-429-retry",
      about: "the agent reports the wait that retry-after asks for, waits, and succeeds",
      steps: [
        fails(429, "rate_limit_error", "This request would exceed your rate limit", {
          headers: { "retry-after": "1" },
          repeat: 2,
        }),
        says("Recovered."),
      ],
      flow: prompts("go"),
    },
    {
      name: "api-500",
      about: "an internal error of the API is retried",
      steps: [fails(500, "api_error", "Internal server error", { repeat: 2 }), says("Recovered.")],
      flow: prompts("go"),
    },
    {
      name: "api-529",
      about: "a request to an overloaded API is retried",
      steps: [fails(529, "overloaded_error", "Overloaded", { repeat: 2 }), says("Recovered.")],
      flow: prompts("go"),
    },
    {
      name: "api-529-forever",
      about: "the turn fails if the API stays overloaded, and the result contains the HTTP status",
      env: { CLAUDE_CODE_MAX_RETRIES: "2" },
      steps: [fails(529, "overloaded_error", "Overloaded", { repeat: 500 })],
      flow: prompts("a"),
      expect: { exits: [1] },
    },
    {
      name: "api-refusal",
      about: "after a refusal by the model, the agent tries once more with a synthetic prompt",
      steps: [{ content: [], stop_reason: "refusal" }, says("(scenario exhausted)")],
      flow: prompts("go"),
    },
    {
      name: "no-api-key",
      about: "without an API key the turn fails before any request is made",
      env: { ANTHROPIC_API_KEY: "" },
      steps: [says("?")],
      flow: prompts("hi"),
      expect: { exits: [1] },
    },
    ...refusals,
  ],
};
