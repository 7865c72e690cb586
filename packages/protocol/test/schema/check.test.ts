import { expect, test } from "vitest";
import { check, readText } from "../../src/schema/check.ts";
import { array, record, texts } from "../../src/schema/collection.ts";
import { closed, object, optional } from "../../src/schema/object.ts";
import { boolean, choice, filled, numberIn, string } from "../../src/schema/scalar.ts";
import { called } from "../../src/schema/schema.ts";
import { either } from "../../src/schema/union.ts";

const PORT = object({
  host: called("an address", filled),
  port: numberIn({ least: 1, most: 9, isWhole: true }),
});
const SETTINGS = object({
  ports: optional(array(closed(PORT))),
  level: optional(choice("low", "high")),
  folders: optional(texts("a list of absolute paths", (path) => path.startsWith("/"))),
  names: optional(record(string)),
  box: optional(
    called("true, false or an object", either(boolean, object({ size: numberIn({ above: 0 }) }))),
  ),
});

test.each([
  [{ level: "medium" }, "level", "one of low, high", "medium"],
  [{ ports: {} }, "ports", "{host, port}[]", {}],
  [
    {
      ports: [
        { host: "a", port: 1 },
        { host: "a", port: 1.5 },
      ],
    },
    "ports[1].port",
    "a whole number from 1 to 9",
    1.5,
  ],
  [{ ports: [{ host: "a", port: "1" }] }, "ports[0].port", "a whole number from 1 to 9", "1"],
  [{ ports: [{ port: 1 }] }, "ports[0].host", "an address", undefined],
  [{ ports: [{ host: "a", port: 1, tsl: 1 }] }, "ports[0].tsl", "one of the keys host, port", undefined],
  [{ folders: ["/a", "b"] }, "folders", "a list of absolute paths", "b"],
  [{ folders: 5 }, "folders", "a list of absolute paths", 5],
  [{ names: { a: 1 } }, "names.a", "string", 1],
  [{ box: "on" }, "box", "true, false or an object", "on"],
  [{ box: { size: 0 } }, "box.size", "a number above 0", 0],
  [[], "", "{ports?, level?, folders?, names?, box?}", []],
])("%j is refused, and the fault says where", (value, path, expected, given) => {
  expect(check(SETTINGS, value)).toEqual({ ok: false, fault: { path, expected, given } });
});

test("a valid value is accepted unchanged, and unknown keys are reported with the ones that were probably meant", () => {
  const value = { folders: "/a", box: { size: 1, sise: 2 }, levle: "low", colour: "red" };
  expect(check(SETTINGS, value)).toEqual({
    ok: true,
    value,
    unknownKeys: [
      { path: "levle", meant: "level" },
      { path: "colour", meant: undefined },
      { path: "box.sise", meant: "box.size" },
    ],
  });
});

test("a value written as text is read by its spelling", () => {
  expect(readText(numberIn({ least: 0 }), "12.5")).toBe(12.5);
  expect(readText(numberIn({ least: 0 }), "-1")).toBeUndefined();
  expect(readText(numberIn({ above: 0 }), "0")).toBeUndefined();
  expect(readText(numberIn({}), "")).toBeUndefined();
  expect(readText(choice("low", "high"), "high")).toBe("high");
  expect(readText(choice("low", "high"), "higher")).toBeUndefined();
});
