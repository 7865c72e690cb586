import { expect, test } from "vitest";
import { cloudIn, nameAt } from "../../src/model/clouds.ts";

test.each([
  [{}, undefined],
  [{ CLAUDE_CODE_USE_BEDROCK: "0", CLAUDE_CODE_USE_VERTEX: "" }, undefined],
  [{ CLAUDE_CODE_USE_BEDROCK: "1" }, "bedrock"],
  [{ CLAUDE_CODE_USE_VERTEX: "true" }, "vertex"],
  [{ CLAUDE_CODE_USE_FOUNDRY: "yes" }, "foundry"],
])("%j turns on %s", (env, cloud) => {
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
