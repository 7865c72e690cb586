import { expect, test } from "vitest";
import { ERROR_CODES, unsupportedRequest } from "../../src/control/error-codes.ts";

test("every error code is listed once", () => {
  const codes = Object.values(ERROR_CODES).flat();
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes).toHaveLength(47);
  for (const code of codes) expect(code).toMatch(/^[a-z][a-z0-9_]+$/);
});

test("an unsupported request is answered with the official agent's text", () => {
  expect(unsupportedRequest("make_coffee")).toBe("Unsupported control request subtype: make_coffee");
});
