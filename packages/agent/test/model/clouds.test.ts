import { expect, test } from "vitest";
import { cloudIn, nameAt, searchesWeb, vertexRegion } from "../../src/model/clouds.ts";

test.each([
  [{}, undefined],
  [{ CLAUDE_CODE_USE_BEDROCK: "0", CLAUDE_CODE_USE_VERTEX: "" }, undefined],
  [{ CLAUDE_CODE_USE_BEDROCK: "1" }, "bedrock"],
  [{ CLAUDE_CODE_USE_VERTEX: "true" }, "vertex"],
  [{ CLAUDE_CODE_USE_FOUNDRY: "yes" }, "foundry"],
])("%j selects %s", (env, cloud) => {
  expect(cloudIn(env)).toBe(cloud);
});

test.each([
  ["bedrock", "claude-opus-5-5", {}, "us.anthropic.claude-opus-5-5"],
  ["bedrock", "claude-opus-5-5[1m]", { AWS_REGION: "eu-central-1" }, "eu.anthropic.claude-opus-5-5"],
  ["bedrock", "claude-sonnet-5", { AWS_DEFAULT_REGION: "ap-south-1" }, "apac.anthropic.claude-sonnet-5"],
  ["bedrock", "claude-sonnet-5", { AWS_REGION: "ca-west-1" }, "global.anthropic.claude-sonnet-5"],
  ["bedrock", "claude-sonnet-5", { AWS_REGION: "us-gov-east-1" }, "us-gov.anthropic.claude-sonnet-5"],
  ["bedrock", "claude-sonnet-5", { ANTHROPIC_BEDROCK_REGION_PREFIX: "jp" }, "jp.anthropic.claude-sonnet-5"],
  ["bedrock", "claude-opus-4-6", {}, "us.anthropic.claude-opus-4-6-v1"],
  ["bedrock", "claude-haiku-4-5", {}, "us.anthropic.claude-haiku-4-5-20251001-v1:0"],
  [
    "bedrock",
    "arn:aws:bedrock:us-east-2:1:inference-profile/x",
    {},
    "arn:aws:bedrock:us-east-2:1:inference-profile/x",
  ],
  ["bedrock", "eu.anthropic.claude-opus-5", {}, "eu.anthropic.claude-opus-5"],
  ["vertex", "claude-opus-5-5", {}, "claude-opus-5-5"],
  ["vertex", "claude-sonnet-4-5", {}, "claude-sonnet-4-5@20250929"],
  ["vertex", "claude-sonnet-4-5@20250929", {}, "claude-sonnet-4-5@20250929"],
  ["foundry", "claude-haiku-4-5-20251001", {}, "claude-haiku-4-5"],
  ["foundry", "my-deployment", {}, "my-deployment"],
] as const)("%s calls %s with %j: %s", (cloud, model, env, name) => {
  expect(nameAt(cloud, model, env)).toBe(name);
});

test.each([
  ["claude-3-5-sonnet-20241022", "VERTEX_REGION_CLAUDE_3_5_SONNET"],
  ["claude-3-5-haiku", "VERTEX_REGION_CLAUDE_3_5_HAIKU"],
  ["claude-sonnet-4-5@20250929", "VERTEX_REGION_CLAUDE_4_5_SONNET"],
  ["claude-sonnet-4-20250514", "VERTEX_REGION_CLAUDE_4_0_SONNET"],
  ["claude-opus-4-1", "VERTEX_REGION_CLAUDE_4_1_OPUS"],
  ["claude-opus-4", "VERTEX_REGION_CLAUDE_4_0_OPUS"],
  ["claude-opus-5[1m]", "VERTEX_REGION_CLAUDE_5_OPUS"],
  ["claude-opus-5-5", "VERTEX_REGION_CLAUDE_5_5_OPUS"],
  ["claude-haiku-4-5-20251001", "VERTEX_REGION_CLAUDE_HAIKU_4_5"],
  ["claude-fable-5", "VERTEX_REGION_CLAUDE_FABLE_5"],
  ["claude-fable-5-2", "VERTEX_REGION_CLAUDE_FABLE_5_2"],
])("Vertex uses for %s the region in %s", (model, variable) => {
  expect(vertexRegion(model, { [variable]: "asia-east1", CLOUD_ML_REGION: "global" })).toBe("asia-east1");
  expect(vertexRegion(model, { CLOUD_ML_REGION: "global" })).toBe("global");
});

test("an invalid region falls back to the general one, and that to the default", () => {
  const env = { VERTEX_REGION_CLAUDE_5_OPUS: "not a region" };
  expect(vertexRegion("claude-opus-5", { ...env, CLOUD_ML_REGION: "eu" })).toBe("eu");
  expect(vertexRegion("claude-opus-5", env)).toBe("us-east5");
});

test.each([
  ["bedrock", "us.anthropic.claude-opus-5-5", false],
  ["vertex", "claude-opus-5-5", true],
  ["vertex", "claude-3-5-haiku@20241022", false],
  ["foundry", "my-deployment", true],
] as const)("%s supports web search for %s: %s", (cloud, model, does) => {
  expect(searchesWeb(cloud, model)).toBe(does);
});
