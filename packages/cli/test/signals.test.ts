import { EXIT_CODES } from "@agentwire/protocol/support";
import { expect, test } from "vitest";
import { Signals } from "../src/turn/run-prompt.ts";

test("a signal that comes before anybody listens is passed on when somebody does, and all after it", () => {
  const before = process.listenerCount("SIGINT");
  const signals = new Signals();
  const heard: number[] = [];
  try {
    process.emit("SIGINT");
    signals.listen((code) => heard.push(code));
    expect(heard).toEqual([EXIT_CODES.interrupted]);
    process.emit("SIGTERM");
    expect(heard).toEqual([EXIT_CODES.interrupted, EXIT_CODES.terminated]);
  } finally {
    signals.close();
  }
  expect(process.listenerCount("SIGINT")).toBe(before);
});
