import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../../../test/any-character.ts";
import { computingMs } from "../../../../../test/computing-time.ts";
import { bashRules, given, judgeCommand } from "./given.ts";

const RULES = bashRules("allow", ["git status *", "echo *", "cat *"]);

const HARMLESS = [
  "git status",
  "git status -s",
  "echo 'x; y'",
  'echo "$HOME"',
  "cat <<< x",
  "(echo x)",
  "echo $(git status)",
];
const HARMFUL = [
  "rm x",
  "'rm' x",
  "$(echo rm) x",
  "curl x",
  "PATH=. git status",
  "echo x > f",
  "sudo git status",
  "x",
];
const SEPARATORS = [";", "\n", " && ", " || ", " | ", " |& ", " & ", "; ! ", "\n\n# x\n", " \\\n; "];
const AROUND: readonly ((command: string) => string)[] = [
  (command) => command,
  (command) => `( ${command} )`,
  (command) => `{ ${command}; }`,
  (command) => `if ${command}; then echo x; fi`,
  (command) => `while echo x; do ${command}; done`,
  (command) => `for f in a b; do ${command}; done`,
  (command) => `echo "$(${command})"`,
  (command) => `cat <(${command})`,
  (command) => `cat <<EOF\n$(${command})\nEOF`,
  (command) => `echo x; ${command} 2>&1`,
];

describe("a hostile command", () => {
  test("is never allowed because of an allowed command next to a forbidden one", () => {
    const command = fc.record({
      before: fc.array(fc.constantFrom(...HARMLESS), { maxLength: 3 }),
      harmful: fc.constantFrom(...HARMFUL),
      after: fc.array(fc.constantFrom(...HARMLESS), { maxLength: 3 }),
      separators: fc.infiniteStream(fc.constantFrom(...SEPARATORS)),
      around: fc.array(fc.constantFrom(...AROUND), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(command, ({ before, harmful, after, separators, around }) => {
        const inner = around.reduce((text, wrap) => wrap(text), harmful);
        const text = [...before, inner, ...after].reduce(
          (left, right) => left + separators.next().value + right,
        );
        expect(judgeCommand(text, RULES).behavior, text).toBe("none");
      }),
      { numRuns: 5000 },
    );
  });

  test("is allowed if it consists only of allowed commands", () => {
    const command = fc.tuple(
      fc.array(fc.constantFrom(...HARMLESS), { minLength: 1, maxLength: 4 }),
      fc.constantFrom(";", "\n", " && ", " || ", " & "),
      fc.constantFrom(...AROUND.slice(0, 6)),
    );
    fc.assert(
      fc.property(command, ([commands, separator, wrap]) => {
        const text = commands.map(wrap).join(separator);
        expect(judgeCommand(text, RULES).behavior, text).toBe("allow");
      }),
    );
  });

  const TOKENS = [
    "git status ",
    "rm x",
    "'",
    '"',
    "`",
    "$(",
    "(",
    ")",
    "{",
    "}",
    "${",
    "$'",
    "\\",
    "\n",
    ";",
    "|",
    "&",
  ];
  const MORE = [
    "<",
    ">",
    "<<EOF\n",
    "\nEOF\n",
    "#",
    "*",
    "[",
    "]",
    "=",
    " ",
    "\t",
    "\r",
    "\0",
    "\ud800",
    "if ",
    "fi",
    "do ",
    "done",
  ];

  test("never makes the judge throw, whatever its characters", () => {
    const noise = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 200 }),
      fc.array(fc.constantFrom(...TOKENS, ...MORE), { maxLength: 60 }).map((tokens) => tokens.join("")),
    );
    const rules = [
      ...RULES,
      given("deny", "Bash(rm *)"),
      given("ask", "Bash(* | curl *)"),
      given("deny", "Edit(x)"),
    ];
    fc.assert(
      fc.property(noise, (text) => {
        expect(["allow", "deny", "ask", "none"]).toContain(judgeCommand(text, rules).behavior);
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    ...TOKENS,
    ...MORE,
    "$((",
    "a;",
    "a|",
    "$($(",
    "nice ",
    "env A=1 ",
    "bash -c '",
    "xargs ",
    "{a,",
    "${x:-",
    "cat <<E\nE\n",
  ])("of 100,000 characters made of %j is judged in linear time", (token) => {
    const rules = [
      ...bashRules("allow", ["git status *", "*a*a*a*b"]),
      ...bashRules("deny", ["rm * x * y", "* | b *"]),
    ];
    const text = `git status ${token.repeat(100_000 / token.length)}`;
    const start = computingMs();
    judgeCommand(text, rules);
    // Quadratic work would take minutes here.
    expect(computingMs() - start).toBeLessThan(10_000);
  });

  test("is matched against a rule with many wildcards without backtracking", () => {
    const rules = bashRules("allow", [`${"*a".repeat(2_000)}b`]);
    expect(judgeCommand("a".repeat(10_000), rules).behavior).toBe("none");
  });
});
