import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ProtocolError } from "../src/errors.ts";
import { jsonLog, type LogLevel, silentLog } from "../src/log.ts";

function recording(level: LogLevel = "debug") {
  const lines: string[] = [];
  return { lines, log: jsonLog((line) => lines.push(line), level) };
}

function fieldOf(value: unknown): unknown {
  const { lines, log } = recording();
  log.info("entry", { value });
  return JSON.parse(lines.join("")).fields.value;
}

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-02-01T10:00:00Z"), toFake: ["Date"] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe("jsonLog", () => {
  test("writes one JSON line with time, level, text and fields", () => {
    const { lines, log } = recording();
    log.warn("bad line\nseen", { reason: "not_json", session: undefined });
    expect(lines).toEqual([
      '{"time":"2026-02-01T10:00:00.000Z","level":"warn","text":"bad line\\nseen","fields":{"reason":"not_json"}}\n',
    ]);
  });

  test("omits fields if there are none", () => {
    const { lines, log } = recording();
    log.info("started");
    expect(lines).toEqual(['{"time":"2026-02-01T10:00:00.000Z","level":"info","text":"started"}\n']);
  });

  test.each([
    ["debug", ["debug", "info", "warn", "error"]],
    ["info", ["info", "warn", "error"]],
    ["warn", ["warn", "error"]],
    ["error", ["error"]],
  ] as const)("at level %s writes %j", (level, written) => {
    const { lines, log } = recording(level);
    log.debug("x");
    log.info("x");
    log.warn("x");
    log.error("x");
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(written);
  });

  test("renders an error as name, message and code, wherever it is", () => {
    const error = new ProtocolError("timeout", "no answer", { cause: new Error("hidden") });
    const rendered = { name: "ProtocolError", message: "no answer", code: "timeout" };
    expect(fieldOf(error)).toEqual(rendered);
    expect(fieldOf({ deep: [error] })).toEqual({ deep: [rendered] });
    expect(fieldOf(new TypeError("bad"))).toEqual({ name: "TypeError", message: "bad" });
    expect(fieldOf(Object.assign(new Error("odd"), { code: {} }))).toEqual({ name: "Error", message: "odd" });
  });

  test("renders big integers as text", () => {
    expect(fieldOf({ size: 2n ** 64n })).toEqual({ size: "18446744073709551616" });
  });

  test("marks a cycle, and only a cycle", () => {
    const shared = { a: 1 };
    const loop: Record<string, unknown> = { first: shared, error: new Error("x"), second: shared };
    loop.self = loop;
    expect(fieldOf(loop)).toEqual({
      first: { a: 1 },
      error: { name: "Error", message: "x" },
      second: { a: 1 },
      self: "[circular]",
    });
  });

  test.each([
    [
      "toJSON throws",
      {
        toJSON() {
          throw new Error("no");
        },
      },
    ],
    [
      "a getter throws",
      {
        get broken() {
          throw new Error("no");
        },
      },
    ],
    [
      "toJSON never ends",
      {
        toJSON() {
          return { again: this };
        },
      },
    ],
  ])("keeps the other fields if %s", (_title, hostile) => {
    const { lines, log } = recording();
    log.error("odd", { before: 1, hostile, after: 2 });
    expect(JSON.parse(lines.join("")).fields).toEqual({ before: 1, hostile: "[unserializable]", after: 2 });
  });

  test("keeps the other fields if reading one throws", () => {
    const { lines, log } = recording();
    log.info("odd", {
      get hostile() {
        throw new Error("no");
      },
      after: 2,
    });
    expect(JSON.parse(lines.join("")).fields).toEqual({ hostile: "[unserializable]", after: 2 });
  });
});

test("silentLog accepts every level and writes nothing", () => {
  for (const level of ["debug", "info", "warn", "error"] as const) {
    expect(silentLog[level]("x", { a: 1 })).toBeUndefined();
  }
});
