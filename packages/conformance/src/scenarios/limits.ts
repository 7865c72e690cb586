import { calls, says } from "../scripted-api/script.ts";
import { BYPASS, prompts } from "./parts.ts";
import type { Theme } from "./scenario.ts";

/** The API's headers for limits that are almost used up. */
const NEARLY_USED_UP = {
  "anthropic-ratelimit-unified-status": "allowed_warning",
  "anthropic-ratelimit-unified-5h-status": "allowed_warning",
  "anthropic-ratelimit-unified-5h-utilization": "0.92",
  "anthropic-ratelimit-unified-5h-reset": "1800000000",
  "anthropic-ratelimit-unified-5h-surpassed-threshold": "0.9",
  "anthropic-ratelimit-unified-representative-claim": "five_hour",
  "anthropic-ratelimit-unified-reset": "1800000000",
  "anthropic-ratelimit-requests-remaining": "1",
};

/** Which limits stop an agent, and which do not. */
export const limits: Theme = {
  name: "limits",
  scenarios: [
    {
      name: "max-turns",
      about: "--max-turns ends the turn with an error result and keeps the process running",
      args: ["--max-turns", "2", ...BYPASS],
      steps: [],
      whenExhausted: calls("Bash", { command: "true", description: "noop" }),
      flow: async ({ agent }) => {
        await agent.turn("loop");
        return { alive: !(await agent.gone(1000)) };
      },
      expect: { exits: [1], facts: { alive: true } },
    },
    {
      name: "rate-limit-headers",
      about: "rate limits in the API's headers are not reported to users of an API key",
      steps: [says("ok", { headers: NEARLY_USED_UP })],
      flow: prompts("go"),
    },
    {
      name: "rate-limit-event",
      about: "users of a subscription are told, once, that a rate limit is near",
      env: { ANTHROPIC_API_KEY: "", CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-dummy" },
      steps: [says("one", { headers: NEARLY_USED_UP }), says("two", { headers: NEARLY_USED_UP })],
      flow: async ({ agent }) => {
        await agent.turn("a");
        await agent.turn("b");
        return { timesTold: agent.lines.filter(({ type }) => type === "rate_limit_event").length };
      },
      expect: { facts: { timesTold: 1 } },
    },
  ],
};
