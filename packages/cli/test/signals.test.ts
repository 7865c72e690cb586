import { EventEmitter } from "node:events";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { expect, test } from "vitest";
import { Signals } from "../src/turn/run-prompt.ts";

test("a signal that comes before anybody listens is passed on when somebody does, and all after it", () => {
  const source = new EventEmitter();
  const signals = new Signals(source);
  const heard: number[] = [];
  try {
    source.emit("SIGINT");
    signals.listen((code) => heard.push(code));
    expect(heard).toEqual([EXIT_CODES.interrupted]);
    source.emit("SIGTERM");
    expect(heard).toEqual([EXIT_CODES.interrupted, EXIT_CODES.terminated]);
  } finally {
    signals.close();
  }
  expect(source.eventNames()).toEqual([]);
});
