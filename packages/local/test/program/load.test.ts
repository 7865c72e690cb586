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
const load = (...argv: string[]) => loadProgram(program, argv);
const kept = () => readdirSync(join(folder, "compiled")).filter((name) => !name.endsWith(".uses"));
const written = () => statSync(join(folder, "compiled", kept()[0] ?? ""), { bigint: true }).mtimeNs;

describe("a bundled program", () => {
  test("saves its compiled code once per kind of use, and runs from it", () => {
    writeFileSync(program, answering("one"));
    const first = load("run", "hello", "--json");
    expect(answer(first)).toBe("one");
    first.keepCompiled();
    const before = written();

    const second = load("run", "something else", "--json");
    expect(answer(second)).toBe("one");
    second.keepCompiled();
    expect(written()).toBe(before);

    load("sessions").keepCompiled();
    expect(written()).not.toBe(before);
    expect(kept()).toHaveLength(1);
  });

  test("stops adding to its compiled code after a number of kinds of use", () => {
    writeFileSync(program, answering("one"));
    for (const letter of "abcdefghijklmnop") load(letter).keepCompiled();
    const before = written();
    load("q").keepCompiled();
    expect(written()).toBe(before);
  });

  test("is compiled again after a new build, even one of the same length", () => {
    writeFileSync(program, answering("one"));
    load().keepCompiled();
    writeFileSync(program, answering("two"));
    utimesSync(program, new Date(), new Date(Date.now() + 1000));
    expect(answer(load())).toBe("two");
  });

  test("runs even if the compiled code is damaged", () => {
    writeFileSync(program, answering("one"));
    load().keepCompiled();
    for (const name of kept()) writeFileSync(join(folder, "compiled", name), "not code");
    expect(answer(load())).toBe("one");
  });

  test("runs even if nothing can be saved", () => {
    writeFileSync(program, answering("one"));
    // A file in place of the folder, because file modes do not restrict root.
    writeFileSync(join(folder, "compiled"), "");
    const loaded = load();
    expect(() => loaded.keepCompiled()).not.toThrow();
    expect(answer(loaded)).toBe("one");
  });
});
