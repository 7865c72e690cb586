import { parseArgs } from "node:util";
import { describe, expect, test } from "vitest";
import { checkCommand, reading, splitArgs } from "../src/options.ts";
import { readScenarioOptions, SCENARIO_OPTIONS } from "../src/scenario-options.ts";
import { THEMES } from "../src/scenarios/all.ts";

const here = new URL(".", import.meta.url).pathname;

function parse(...argv: readonly string[]) {
  const { own, command } = splitArgs(argv, here);
  const { values, positionals } = reading(() =>
    parseArgs({ args: [...own], allowPositionals: true, options: SCENARIO_OPTIONS }),
  );
  return { command, ...readScenarioOptions(values, positionals, THEMES, here) };
}

const chosen = (...argv: readonly string[]) =>
  parse(...argv).themes.flatMap(({ scenarios }) => scenarios.map(({ name }) => name));

describe("the command line", () => {
  test("ends at --, followed by the agent's own arguments", () => {
    const options = parse("--jobs", "2", "--", "agent", "--jobs", "9", "--", "x");
    expect(options).toMatchObject({ jobs: 2, command: ["agent", "--jobs", "9", "--", "x"] });
  });

  test("makes the paths of files in the command absolute", () => {
    const { command } = parse("--", "node", "./options.test.ts", "missing.ts");
    expect(command).toEqual(["node", `${here}options.test.ts`, "missing.ts"]);
  });

  test.each([
    ["a missing command", [], /no agent given/],
    ["a missing file", ["./missing", "x"], /agent program not found: \.\/missing/],
    ["a file that is not a program", [`${here}options.test.ts`], /agent program not found/],
    ["a name that is not on PATH", ["no-such-program-anywhere"], /agent program not found/],
  ])("rejects %s before anything runs", (_what, command, message) => {
    expect(() => checkCommand("agent", command, process.env.PATH)).toThrow(message);
  });

  test("accepts a program by its path or by its name on PATH", () => {
    for (const program of [process.execPath, "node"])
      expect(() => checkCommand("host", [program], process.env.PATH)).not.toThrow();
  });

  test("selects scenarios by name, by theme and by duration", () => {
    expect(chosen("simple-text", "bad-flag")).toEqual(["simple-text", "bad-flag"]);
    expect(chosen("--theme", "limits")).toEqual(["max-turns", "rate-limit-headers", "rate-limit-event"]);
    expect(chosen()).toContain("idle-70s");
    expect(chosen("--fast")).not.toContain("idle-70s");
  });

  test.each([
    [["--no-such-option"], /no-such-option/],
    [["--jobs", "0"], /--jobs must be a positive integer, not 0/],
    [["--timeout", "soon"], /--timeout must be a positive integer/],
    [["no-such-scenario"], /unknown scenario no-such-scenario/],
    [["--theme", "nothing"], /unknown theme nothing/],
  ])("is rejected: %s", (argv, message) => {
    expect(() => parse(...argv)).toThrow(message);
  });
});
