import { RuleScope } from "@agentwire/api";
import { expect, test } from "vitest";
import { scopedRule } from "../../src/permission/rule-book.ts";
import { denyFlags, passedRules } from "../../src/permission/rule-flags.ts";

const { SESSION, PROJECT, USER, MANAGED } = RuleScope;

type Behavior = "allow" | "ask" | "deny";

const rule = (behavior: Behavior, text: string, scope: RuleScope = USER, isGranted = false) =>
  scopedRule({
    rule: text,
    behavior,
    scope,
    owner: scope === PROJECT ? "/project" : "",
    createdBy: "",
    isGranted,
  });

test("agents are passed rules with a pattern; rules for a whole tool are checked per call", () => {
  const rules = [
    rule("deny", "Read(.env)"),
    rule("deny", "Bash"),
    rule("ask", "Bash(git push:*)"),
    rule("allow", "Read(src/**)"),
  ];
  expect(passedRules(rules)).toEqual({ deny: ["Read(.env)"], ask: ["Bash(git push:*)"] });
  expect(denyFlags(rules)).toEqual(["--disallowedTools", "Read(.env)"]);
  expect(denyFlags([rule("deny", "Bash")])).toEqual([]);
});

test("a path relative to a project's root is passed as an absolute path", () => {
  expect(passedRules([rule("deny", "Read(/keys/**)", PROJECT)]).deny).toEqual(["Read(//project/keys/**)"]);
});

test.each<[string, Behavior, string, RuleScope, boolean, boolean]>([
  ["a rule of a narrower scope", "allow", "Read(a.env)", SESSION, false, true],
  ["a rule for another tool that reads or writes files", "allow", "Edit(a.env)", SESSION, false, true],
  ["a rule of the same scope, where deny wins", "allow", "Read(a.env)", USER, false, false],
  ["a rule created by an answer, which overrides no deny rule", "allow", "Read(a.env)", SESSION, true, false],
  ["a rule for commands", "allow", "Bash(cat:*)", SESSION, false, false],
])("%s turns a deny rule into an ask rule or not", (_, behavior, text, scope, isGranted, isExcepted) => {
  const rules = [rule("deny", "Read(*.env)"), rule(behavior, text, scope, isGranted)];
  expect(passedRules(rules)).toEqual(
    isExcepted ? { deny: [], ask: ["Read(*.env)"] } : { deny: ["Read(*.env)"], ask: [] },
  );
});

test("managed deny rules have no exceptions", () => {
  const rules = [rule("deny", "Read(*.env)", MANAGED), rule("allow", "Read(a.env)", SESSION)];
  expect(passedRules(rules).deny).toEqual(["Read(*.env)"]);
});
