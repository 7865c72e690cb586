import { expect, test } from "vitest";
import { EXIT_CODES } from "../src/exit-codes.ts";

test("the exit codes are the documented ones", () => {
  expect(EXIT_CODES).toEqual({
    done: 0,
    turnFailed: 1,
    badUsage: 2,
    internalError: 70,
    agentNotFound: 72,
    badConfig: 78,
    interrupted: 130,
    terminated: 143,
  });
});
