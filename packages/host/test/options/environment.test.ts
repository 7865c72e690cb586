import { expect, test } from "vitest";
import { environmentOf } from "../../src/options/environment.ts";

test("variables that a surrounding agent set are not passed on", () => {
  const inherited = { PATH: "/bin", CLAUDECODE: "1", CLAUDE_CODE_SSE_PORT: "4711" };
  expect(Object.keys(environmentOf({}, { inherited }))).not.toContain("CLAUDECODE");
  const spread = environmentOf({ env: { ...inherited, MORE: "1" } }, { inherited });
  expect(spread).toMatchObject({ PATH: "/bin", MORE: "1" });
  expect(Object.keys(spread)).not.toContain("CLAUDE_CODE_SSE_PORT");
});

test("variables that the caller sets are passed on", () => {
  const inherited = { CLAUDECODE: "1" };
  expect(environmentOf({ env: { CLAUDECODE: "mine" } }, { inherited }).CLAUDECODE).toBe("mine");
});

test("the host's own environment is not changed", () => {
  const inherited = { NODE_OPTIONS: "--x", DEBUG: "y" };
  const env = environmentOf({}, { inherited });
  expect(env).not.toHaveProperty("NODE_OPTIONS");
  expect(inherited).toEqual({ NODE_OPTIONS: "--x", DEBUG: "y" });
});
