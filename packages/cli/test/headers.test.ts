import { describe, expect, test } from "vitest";
import { Headers as LeanHeaders } from "../../../scripts/lean/headers.mjs";

type Init = Iterable<readonly [string, string]> | Readonly<Record<string, string>>;
const made = {
  ours: (init?: Init) => new LeanHeaders(init) as unknown as Headers,
  Node: (init?: Init) => new Headers(init as HeadersInit),
};

const INITS: readonly Init[] = [
  {},
  { "Content-Type": " text/plain\r\n" },
  [
    ["a", "1"],
    ["A", "2"],
  ],
  new Headers({ a: "b", c: "é" }),
];

describe("the headers of the bundled program are like Node's", () => {
  test.each(INITS)("made from %j", (init) => {
    const [ours, wanted] = [made.ours(init), made.Node(init)];
    expect([...ours]).toEqual([...wanted]);
    expect([...made.ours([...ours])]).toEqual([...wanted]);
  });

  test.each(["ours", "Node"] as const)("%s can be changed and listed", (whose) => {
    const headers = made[whose]({ One: "1" });
    headers.append("one", "2");
    headers.set("Two", "2");
    headers.append("three", "3");
    headers.delete("THREE");
    expect([headers.get("ONE"), headers.has("two"), headers.get("three")]).toEqual(["1, 2", true, null]);
    expect([[...headers.keys()], [...headers.values()]]).toEqual([
      ["one", "two"],
      ["1, 2", "2"],
    ]);
    const seen: unknown[] = [];
    headers.forEach((value, name, all) => {
      seen.push(name, value, all === headers);
      headers.delete(name);
    });
    expect(seen.slice(0, 3)).toEqual(["one", "1, 2", true]);
  });

  test.each([
    ["a name", "b\nc"],
    ["a", "b\r\nc: d"],
    ["a", "b\0"],
    ["a", "…"],
    ["", "b"],
    ["a:", "b"],
  ])("refuse %j: %j", (name, value) => {
    for (const make of Object.values(made)) {
      expect(() => make().set(name, value)).toThrow(TypeError);
      expect(() => make([[name, value]])).toThrow(TypeError);
    }
  });
});
