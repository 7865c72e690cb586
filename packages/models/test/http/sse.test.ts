import { expect, test } from "vitest";
import { readServerEvents } from "../../src/http/sse.ts";

async function read(...pieces: string[]) {
  const bytes = (async function* () {
    for (const piece of pieces) yield Buffer.from(piece);
  })();
  const groups = [];
  for await (const group of readServerEvents(bytes)) groups.push(group);
  return groups;
}

const ONE = { name: "a", data: "1" };
const TWO = { name: "b", data: "2" };

test.each([
  ["line feeds", "event: a\ndata: 1\n\nevent: b\ndata: 2\n\n"],
  ["carriage returns and line feeds", "event: a\r\ndata: 1\r\n\r\nevent: b\r\ndata: 2\r\n\r\n"],
  ["carriage returns", "event: a\rdata: 1\r\revent: b\rdata: 2\r\r"],
  ["no space after the colon", "event:a\ndata:1\n\nevent:b\ndata:2\n\n"],
  ["comments and other fields", ": hi\nid: 7\nevent: a\nretry: 1\ndata: 1\n\n:\n\nevent: b\ndata: 2\n\n"],
  ["no empty line at the end", "event: a\ndata: 1\n\nevent: b\ndata: 2"],
])("events of one piece are returned together: %s", async (_, piece) => {
  expect(await read(piece)).toEqual([[ONE, TWO]]);
});

test("data lines are joined, and events without data are ignored", async () => {
  expect(await read("data: 1\ndata:\ndata:  2\n\nevent: a\n\ndata\n\n")).toEqual([
    [
      { name: "", data: "1\n\n 2" },
      { name: "", data: "" },
    ],
  ]);
});

test("JSON without a field name is data, because some servers insert a plain error into a stream", async () => {
  expect(await read('{"error":\n["x"]}\n\n')).toEqual([[{ name: "", data: '{"error":\n["x"]}' }]]);
});

test("each piece is a group, even if it contains only comments", async () => {
  expect(await read("event: a\ndata: 1\n\n", ": ping\n\n", "event: b\ndata: 2\n\n")).toEqual([
    [ONE],
    [],
    [TWO],
  ]);
});
