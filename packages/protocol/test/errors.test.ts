import { describe, expect, test } from "vitest";
import { PROTOCOL_ERRORS, ProtocolError } from "../src/errors.ts";

describe("ProtocolError", () => {
  test("has a code, a text, a cause and the peer's own code", () => {
    const cause = new Error("EPIPE");
    const error = new ProtocolError("refused", "no such mode", { cause, errorCode: "invalid_mode" });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: "ProtocolError", code: "refused", errorCode: "invalid_mode" });
    expect(error.cause).toBe(cause);
    expect(String(error)).toBe("ProtocolError: no such mode");
  });

  test("has no cause and no peer's code unless given", () => {
    const error = new ProtocolError("closed", "the agent went away");
    expect(Object.hasOwn(error, "cause")).toBe(false);
    expect(error.errorCode).toBeUndefined();
  });

  test("has one sentence of meaning for each code", () => {
    for (const meaning of Object.values(PROTOCOL_ERRORS)) expect(meaning).toMatch(/^[A-Z][^.]+\.$/);
  });
});
