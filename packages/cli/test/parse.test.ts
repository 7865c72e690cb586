import { describe, expect, test } from "vitest";
import { PROGRAM } from "../src/commands/program.ts";
import { UsageError } from "../src/errors.ts";
import { helpOf } from "../src/help.ts";
import { commandName, parseLine } from "../src/parse.ts";

const parse = (line: string) => parseLine(PROGRAM, line === "" ? [] : line.split(" "));

describe("a command line", () => {
  test.each([
    ["", "agentwire", [], {}],
    ["run say hello", "agentwire run", ["say", "hello"], {}],
    ["run -c --model=x -- --hello", "agentwire run", ["--hello"], { continue: true, model: "x" }],
    ["--json --folder /a sessions list", "agentwire sessions list", [], { json: true, folder: "/a" }],
    ["run --worktree fix do it", "agentwire run", ["do", "it"], { worktree: "fix" }],
    ["run do it -w", "agentwire run", ["do", "it"], { worktree: true }],
    ["run --worktree=fix do", "agentwire run", ["do"], { worktree: "fix" }],
    ["run --worktree -c do", "agentwire run", ["do"], { worktree: true, continue: true }],
    ["--limit 5 sessions", "agentwire sessions", [], { limit: "5" }],
    ["-cp run do it", "agentwire run", ["do", "it"], { continue: true, print: true }],
    ["sessions --limit 5", "agentwire sessions", [], { limit: "5" }],
    ["sessions show 3f2a --json", "agentwire sessions show", ["3f2a"], { json: true }],
    [
      "record -o a.jsonl -- claude --version",
      "agentwire record",
      ["claude", "--version"],
      { out: "a.jsonl" },
    ],
    [
      "conformance agent --fast -- my-agent --flag",
      "agentwire conformance",
      ["agent", "--fast", "--", "my-agent", "--flag"],
      {},
    ],
  ])("%j is parsed", (line, name, args, values) => {
    const parsed = parse(line);
    expect([commandName(parsed.path), parsed.args, Object.fromEntries(parsed.values)]).toEqual([
      name,
      args,
      values,
    ]);
  });

  test.each([
    ["sesions", 'unknown command "sesions"; did you mean sessions?'],
    ["rules alow x", "did you mean allow?"],
    ["run --modle x hi", "unknown option --modle; did you mean --model?"],
    ["run --mode plam hi", "did you mean plan?"],
    ["run --model", "--model needs a value"],
    ["run --model --json hi", "--model needs a value"],
    ["sessions list --deleted=yes", "--deleted takes no value"],
    ["sessions show", "missing argument"],
    ["sessions show a b", 'unexpected argument "b"'],
    ["daemon", "needs a subcommand: start, stop, status"],
    ["xyzzy", 'unknown command "xyzzy"'],
    ["--modle x", "unknown option --modle; did you mean --model?"],
    ["--modle=x", "unknown option --modle; did you mean --model?"],
    ["--jsno sessions", "unknown option --jsno; did you mean --json?"],
    ["--prnt hello", "unknown option --prnt; did you mean --print?"],
    ["sessions --limti 5", "unknown option --limti; did you mean --limit?"],
    ["-x", "unknown option -x"],
    ["-x hello", "unknown option -x"],
    ["runn hello", 'unknown command "runn"; did you mean run?'],
    ["run --mdoel x hi", "unknown option --mdoel; did you mean --model?"],
  ])("%j is refused with advice", (line, message) => {
    expect(() => parse(line)).toThrow(UsageError);
    expect(() => parse(line)).toThrow(message);
  });
});

test("a prompt without run is refused with a hint how to send it", () => {
  expect(() => parseLine(PROGRAM, ["list the files"])).toThrow(
    expect.objectContaining({
      message: 'unknown command "list the files"',
      hint: 'to send a prompt: agentwire run "list the files here"',
    }),
  );
});

test("every command has help with its usage, and every runnable one has an example", () => {
  const walk = (path: readonly (typeof PROGRAM)[]): void => {
    const command = path.at(-1) ?? PROGRAM;
    const help = helpOf(path);
    expect(help).toContain(commandName(path));
    if (command.run) expect(command.examples?.length, commandName(path)).toBeGreaterThan(0);
    for (const line of help.split("\n")) expect(line.length, line).toBeLessThan(150);
    for (const sub of command.subcommands ?? []) walk([...path, sub]);
  };
  walk([PROGRAM]);
});
