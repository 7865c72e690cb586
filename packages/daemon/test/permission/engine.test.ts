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
  ["without rules nothing is decided", [], "none", []],
  [
    "deny wins over allow within a scope",
    [
      [USER, "allow", "Bash"],
      [USER, "deny", "Bash(npm *)"],
    ],
    "deny",
    ["Bash(npm *)"],
  ],
  [
    "ask wins over allow within a scope",
    [
      [USER, "allow", "Bash"],
      [USER, "ask", "Bash(npm *)"],
    ],
    "ask",
    ["Bash(npm *)"],
  ],
  [
    "session rules win over user rules",
    [
      [USER, "deny", "Bash"],
      [SESSION, "allow", "Bash(npm test)"],
    ],
    "allow",
    ["Bash(npm test)"],
  ],
  [
    "project rules win over user rules",
    [
      [USER, "allow", "Bash"],
      [PROJECT, "ask", "Bash"],
    ],
    "ask",
    ["Bash"],
  ],
  [
    "user rules win over managed rules that do not deny or ask",
    [
      [MANAGED, "allow", "Bash"],
      [USER, "deny", "Bash"],
    ],
    "deny",
    ["Bash"],
  ],
  [
    "a managed deny rule can't be overridden",
    [
      [MANAGED, "deny", "Bash"],
      [SESSION, "allow", "Bash"],
    ],
    "deny",
    ["Bash"],
  ],
  [
    "a managed ask rule asks even if another scope allows",
    [
      [MANAGED, "ask", "Bash"],
      [SESSION, "allow", "Bash"],
    ],
    "ask",
    ["Bash"],
  ],
  [
    "a managed ask rule still lets another scope deny",
    [
      [MANAGED, "ask", "Bash"],
      [USER, "deny", "Bash(npm *)"],
    ],
    "deny",
    ["Bash(npm *)"],
  ],
  [
    "a scope without a match leaves the decision to the next one",
    [
      [SESSION, "allow", "Bash(ls)"],
      [USER, "allow", "Bash(npm test)"],
    ],
    "allow",
    ["Bash(npm test)"],
  ],
  [
    "rules of other tools have no effect",
    [
      [USER, "allow", "Read"],
      [USER, "deny", "WebFetch"],
    ],
    "none",
    [],
  ],
];

describe("rule evaluation", () => {
  test.each(cases)("%s", (_, rules, behavior, names) => {
    const found = verdict(rules);
    expect(found.behavior).toBe(behavior);
    expect(found.rules.map(nameOf)).toEqual(names);
    expect(found.reason).not.toBe("");
  });

  test("does not allow a command that two scopes only cover together", () => {
    const rules: Given[] = [
      [SESSION, "allow", "Bash(ls)"],
      [USER, "allow", "Bash(rm *)"],
    ];
    expect(verdict(rules, "ls && rm x").behavior).toBe("none");
  });

  test.each([PROJECT, USER, MANAGED])(
    "never lets a rule created by an answer override a deny rule of scope %i",
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

  test("names the rules that were overruled", () => {
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
    "a command that only two scopes together would cover",
    [
      [SESSION, "allow", "Bash(ls)"],
      [USER, "allow", "Bash(rm *)"],
    ],
    "ls && rm x",
    "no single scope's rules cover all of this command, so it is asked about",
  ],
])("the reason names the calls that no rule covers: %s", (_, rules, command, reason) => {
  expect(verdict(rules, command)).toMatchObject({ behavior: "none", reason });
});
