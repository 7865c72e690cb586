import { expect, test } from "vitest";
import { PlainHeaders } from "../../src/http/plain-headers.ts";

test.each([
  ["pairs", [["A", "1"] as const, ["b", "2"] as const]],
  ["an object", { A: "1", b: "2" }],
  ["other headers", new PlainHeaders({ A: "1", b: "2" })],
  ["global Headers", new Headers({ A: "1", b: "2" })],
])("headers are created from %s, with lowercase names", (_, init) => {
  expect([...new PlainHeaders(init)]).toEqual([
    ["a", "1"],
    ["b", "2"],
  ]);
});

test("headers change like global Headers", () => {
  const change = (headers: PlainHeaders | Headers) => {
    headers.append("X-Many", "1");
    headers.append("x-many", "2");
    headers.set("X-One", "1");
    headers.set("x-one", "2");
    headers.append("X-Gone", "1");
    headers.delete("x-gone");
    return [[...headers.entries()], headers.get("X-MANY"), headers.get("x-gone"), headers.has("X-One")];
  };
  expect(change(new PlainHeaders())).toEqual(change(new Headers()));
});
