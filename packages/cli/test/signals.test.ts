import { EventEmitter } from "node:events";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { expect, test } from "vitest";
import { Signals } from "../src/turn/run-prompt.ts";

test("signals received before there is a listener are delivered to the first one, as are later ones", () => {
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
