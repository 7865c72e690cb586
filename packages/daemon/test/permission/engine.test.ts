import { RuleScope } from "@agentwire/api";
import type { RuleBehavior } from "@agentwire/protocol/permission";
import { describe, expect, test } from "vitest";
import { evaluate, nameOf } from "../../src/permission/engine.ts";
import { scopedRule } from "../../src/permission/rule-book.ts";

const { SESSION, PROJECT, USER, MANAGED } = RuleScope;
type Given = readonly [RuleScope, RuleBehavior, string];

const verdict = (rules: readonly Given[], command = "npm test") =>
  evaluate(
    { toolName: "Bash", input: { command } },
    rules.map(([scope, behavior, rule]) => scopedRule({ scope, behavior, rule, owner: "", createdBy: "me" })),
    { cwd: "/project" },
  );

const cases: readonly (readonly [string, readonly Given[], RuleBehavior | "none", string[]])[] = [
  ["nobody speaks", [], "none", []],
  [
    "deny goes before allow inside a scope",
    [
      [USER, "allow", "Bash"],
      [USER, "deny", "Bash(npm *)"],
    ],
    "deny",
    ["Bash(npm *)"],
  ],
  [
    "ask goes before allow inside a scope",
    [
      [USER, "allow", "Bash"],
      [USER, "ask", "Bash(npm *)"],
    ],
    "ask",
    ["Bash(npm *)"],
  ],
  [
    "the session goes before the user",
    [
      [USER, "deny", "Bash"],
      [SESSION, "allow", "Bash(npm test)"],
    ],
    "allow",
    ["Bash(npm test)"],
  ],
  [
    "the project goes before the user",
    [
      [USER, "allow", "Bash"],
      [PROJECT, "ask", "Bash"],
    ],
    "ask",
    ["Bash"],
  ],
  [
    "the user goes before what is managed",
    [
      [MANAGED, "allow", "Bash"],
      [USER, "deny", "Bash"],
    ],
    "deny",
    ["Bash"],
  ],
  [
    "what is managed and denied stays denied",
    [
      [MANAGED, "deny", "Bash"],
      [SESSION, "allow", "Bash"],
    ],
    "deny",
    ["Bash"],
  ],
  [
    "what is managed and to be asked is asked, whoever allows it",
    [
      [MANAGED, "ask", "Bash"],
      [SESSION, "allow", "Bash"],
    ],
    "ask",
    ["Bash"],
  ],
  [
    "what is managed and to be asked may be denied",
    [
      [MANAGED, "ask", "Bash"],
      [USER, "deny", "Bash(npm *)"],
    ],
    "deny",
    ["Bash(npm *)"],
  ],
  [
    "a scope without a match leaves it to the next",
    [
      [SESSION, "allow", "Bash(ls)"],
      [USER, "allow", "Bash(npm test)"],
    ],
    "allow",
    ["Bash(npm test)"],
  ],
  [
    "rules of other tools say nothing",
    [
      [USER, "allow", "Read"],
      [USER, "deny", "WebFetch"],
    ],
    "none",
    [],
  ],
];

describe("the engine", () => {
  test.each(cases)("%s", (_, rules, behavior, names) => {
    const found = verdict(rules);
    expect(found.behavior).toBe(behavior);
    expect(found.rules.map(nameOf)).toEqual(names);
    expect(found.reason).not.toBe("");
  });

  test("does not let scopes share a command that neither allows as a whole", () => {
    const rules: Given[] = [
      [SESSION, "allow", "Bash(ls)"],
      [USER, "allow", "Bash(rm *)"],
    ];
    expect(verdict(rules, "ls && rm x").behavior).toBe("none");
  });

  test.each([PROJECT, USER, MANAGED])(
    "lets no rule that came of an answer override a denial of scope %i",
    (scope) => {
      const given = { owner: "", createdBy: "me" };
      const rules = [
        scopedRule({ ...given, scope: SESSION, behavior: "allow", rule: "Bash(npm test)", isGranted: true }),
        scopedRule({ ...given, scope, behavior: "deny", rule: "Bash" }),
      ];
      const call = { toolName: "Bash", input: { command: "npm test" } };
      expect(evaluate(call, rules, { cwd: "/project" }).behavior).toBe("deny");
      expect(evaluate(call, rules.slice(0, 1), { cwd: "/project" }).behavior).toBe("allow");
    },
  );

  test("names the rules that were outvoted", () => {
    const found = verdict([
      [SESSION, "allow", "Bash(npm test)"],
      [USER, "deny", "Bash"],
    ]);
    expect(found.outvoted.map(nameOf)).toEqual(["Bash"]);
  });
});

test.each<[string, readonly Given[], string, string]>([
  ["no rules", [], "npm test", "no rule covers this call, so it is asked about"],
  [
    "part of a command",
    [
      [USER, "allow", "Bash(ls:*)"],
      [PROJECT, "allow", "Bash(npm test:*)"],
    ],
    "npm test && rm -rf build",
    "no rule covers rm -rf build, so it is asked about",
  ],
  [
    "a command that scopes would have to share",
    [
      [SESSION, "allow", "Bash(ls)"],
      [USER, "allow", "Bash(rm *)"],
    ],
    "ls && rm x",
    "no single scope's rules cover all of this command, so it is asked about",
  ],
])("what no rule covers is named: %s", (_, rules, command, reason) => {
  expect(verdict(rules, command)).toMatchObject({ behavior: "none", reason });
});
