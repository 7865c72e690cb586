import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "@agentwire/protocol/support";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AgentGateway } from "../../src/models/agent-gateway.ts";

let home: string;
let gateway: AgentGateway;
let isOn = true;

const PROVIDERS = {
  shop: { baseUrl: "http://127.0.0.1:9/v1", models: { a: { contextWindow: 32_000, maxOutputTokens: 4000 } } },
};

const settings = (value: object) => writeFileSync(join(home, ".claude/settings.json"), JSON.stringify(value));

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "agentwire-gateway-"));
  mkdirSync(join(home, ".claude"));
  settings({ providers: PROVIDERS });
  isOn = true;
  gateway = new AgentGateway({ isOn: () => isOn, home, log: silentLog });
});
afterEach(async () => {
  await gateway.close();
  rmSync(home, { recursive: true });
});

test("an agent on a provider's model gets the gateway's address and token, and no other route", async () => {
  const env = {
    ANTHROPIC_API_KEY: "key",
    CLAUDE_CODE_USE_BEDROCK: "1",
    ANTHROPIC_DEFAULT_HAIKU_MODEL: "shop/small",
    ANTHROPIC_DEFAULT_OPUS_MODEL: "claude-opus-5",
  };
  const route = await gateway.routeTo("shop/a", env);
  expect({ ...env, ...route?.env }).toMatchObject({
    ANTHROPIC_BASE_URL: route?.api.origin,
    ANTHROPIC_AUTH_TOKEN: expect.stringMatching(/^.{32}$/),
    ANTHROPIC_API_KEY: undefined,
    CLAUDE_CODE_USE_BEDROCK: undefined,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: "shop/small",
    ANTHROPIC_DEFAULT_OPUS_MODEL: "shop/a",
    CLAUDE_CODE_AUTO_COMPACT_WINDOW: "32000",
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: "4000",
  });
  const asked = (token = "") =>
    fetch(`${route?.api.origin}/v1/messages/count_tokens`, {
      method: "POST",
      headers: { "x-api-key": token },
      body: JSON.stringify({ model: "sonnet", messages: [{ role: "user", content: "hi" }] }),
    }).then(({ status }) => status);
  expect([await asked(route?.env.ANTHROPIC_AUTH_TOKEN), await asked("other"), await asked()]).toEqual([
    200, 401, 401,
  ]);
});

test.each<[string, string, Record<string, string>, object]>([
  ["a name without a provider", "sonnet", {}, {}],
  ["an unknown provider", "nosuch/a", {}, {}],
  ["the name of a cloud's profile", "arn:aws:bedrock:eu-1:1:application-inference-profile/a", {}, {}],
  ["a model of an agent with a gateway", "shop/a", { ANTHROPIC_BASE_URL: "http://127.0.0.1:1" }, {}],
  ["a model of a user with a gateway", "shop/a", {}, { env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:1" } }],
])("%s is left to the agent", async (_, model, env, more) => {
  settings({ providers: PROVIDERS, ...more });
  expect(await gateway.routeTo(model, env)).toBeUndefined();
});

test("with the setting off every name is left to the agent", async () => {
  isOn = false;
  expect(await gateway.routeTo("shop/a", {})).toBeUndefined();
});

test("a provider added to the settings is known to the next agent, on the same gateway", async () => {
  const first = await gateway.routeTo("shop/a", {});
  settings({ providers: { ...PROVIDERS, late: { baseUrl: "http://127.0.0.1:9/v1" } } });
  const second = await gateway.routeTo("late/b", {});
  expect(second?.api.href).toBe(first?.api.href);
  expect(second?.env.ANTHROPIC_AUTH_TOKEN).not.toBe(first?.env.ANTHROPIC_AUTH_TOKEN);
});
