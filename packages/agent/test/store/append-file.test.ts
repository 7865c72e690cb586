import { appendFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { AppendFile } from "../../src/store/append-file.ts";
import { newFolder } from "./folder.ts";

function open(path: string) {
  const lost: string[] = [];
  const batches: (readonly JsonObject[])[] = [];
  const file = new AppendFile(path, {
    onLost: (code) => lost.push(code),
    onWritten: (entries) => batches.push(entries),
  });
  return { file, lost, batches };
}

describe("an append file", () => {
  test("writes the lines of one tick at once and in order", async () => {
    const path = join(await newFolder(), "deep", "er", "a.jsonl");
    const { file, batches } = open(path);
    for (let i = 0; i < 100; i++) file.append({ i });
    await file.flush();
    file.append({ i: 100 });
    await file.flush();
    const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).i)).toEqual(Array.from({ length: 101 }, (_, i) => i));
    expect(batches.map((batch) => batch.length)).toEqual([100, 1]);
  });

  test("adds a newline after a line that an earlier crash has torn", async () => {
    const path = join(await newFolder(), "a.jsonl");
    await writeFile(path, '{"whole":1}\n{"torn":');
    const { file } = open(path);
    file.append({ next: 1 });
    await file.flush();
    expect(await readFile(path, "utf8")).toBe('{"whole":1}\n{"torn":\n{"next":1}\n');
  });

  test("does not modify lines that another process adds", async () => {
    const path = join(await newFolder(), "a.jsonl");
    const { file } = open(path);
    file.append({ a: 1 });
    await file.flush();
    await appendFile(path, '{"title":1}\n');
    file.append({ b: 1 });
    await file.flush();
    expect(await readFile(path, "utf8")).toBe('{"a":1}\n{"title":1}\n{"b":1}\n');
  });

  test.runIf(process.platform === "linux")(
    "reports once that the disk is full and throws nothing",
    async () => {
      const { file, lost, batches } = open("/dev/full");
      file.append({ a: 1 });
      await file.flush();
      file.append({ b: 1 });
      await file.flush();
      expect(lost).toEqual(["ENOSPC"]);
      expect(batches).toEqual([]);
    },
  );

  test("leaves no gap when writing works again", async () => {
    const folder = await newFolder();
    const path = join(folder, "sub", "a.jsonl");
    await writeFile(join(folder, "sub"), "a file where the folder should be");
    const { file, lost } = open(path);
    file.append({ a: 1 });
    await file.flush();
    expect(lost).toHaveLength(1);
    await rm(join(folder, "sub"));
    file.append({ b: 1 });
    await file.flush();
    expect(await readFile(path, "utf8")).toBe('{"a":1}\n{"b":1}\n');
  });

  test("writes what failed before on the next flush", async () => {
    const folder = await newFolder();
    await writeFile(join(folder, "sub"), "");
    const { file } = open(join(folder, "sub", "a.jsonl"));
    file.append({ a: 1 });
    await file.flush();
    await rm(join(folder, "sub"));
    await file.flush();
    expect(await readFile(join(folder, "sub", "a.jsonl"), "utf8")).toBe('{"a":1}\n');
  });
});
