import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadProgram } from "../../src/program/index.ts";

let folder: string;
let program: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-program-"));
  program = join(folder, "main.cjs");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const answering = (text: string) =>
  `(function (exports, require, module) { exports.answer = () => require("node:path").basename("/${text}"); })`;
const answer = (loaded: { exports: unknown }) => (loaded.exports as { answer(): string }).answer();
const kept = () => readdirSync(join(folder, "compiled"));

describe("A program in one file", () => {
  test("keeps its compiled code once, and runs from it", () => {
    writeFileSync(program, answering("one"));
    const first = loadProgram(program);
    expect(answer(first)).toBe("one");
    first.keepCompiled();
    const [name = ""] = kept();
    const { mtimeNs } = statSync(join(folder, "compiled", name), { bigint: true });

    const second = loadProgram(program);
    expect(answer(second)).toBe("one");
    second.keepCompiled();
    expect(kept()).toEqual([name]);
    expect(statSync(join(folder, "compiled", name), { bigint: true }).mtimeNs).toBe(mtimeNs);
  });

  test("is compiled again when it was built again, even to the same length", () => {
    writeFileSync(program, answering("one"));
    loadProgram(program).keepCompiled();
    writeFileSync(program, answering("two"));
    utimesSync(program, new Date(), new Date(Date.now() + 1000));
    expect(answer(loadProgram(program))).toBe("two");
  });

  test("runs with compiled code that is damaged", () => {
    writeFileSync(program, answering("one"));
    loadProgram(program).keepCompiled();
    for (const name of kept()) writeFileSync(join(folder, "compiled", name), "not code");
    expect(answer(loadProgram(program))).toBe("one");
  });

  test("runs where nothing can be kept", () => {
    writeFileSync(program, answering("one"));
    // Not by the mode, which does not bind root: a file where the folder would be.
    writeFileSync(join(folder, "compiled"), "");
    const loaded = loadProgram(program);
    expect(() => loaded.keepCompiled()).not.toThrow();
    expect(answer(loaded)).toBe("one");
  });
});
