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

test("an agent is told of rules that have a pattern; those for a whole tool are about calls", () => {
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

test("a path from the root of a project is spelt in full", () => {
  expect(passedRules([rule("deny", "Read(/keys/**)", PROJECT)]).deny).toEqual(["Read(//project/keys/**)"]);
});

test.each<[string, Behavior, string, RuleScope, boolean, boolean]>([
  ["a rule of a narrower scope", "allow", "Read(a.env)", SESSION, false, true],
  ["a rule for another tool that reads or writes files", "allow", "Edit(a.env)", SESSION, false, true],
  ["a rule of the same scope, which denials go before", "allow", "Read(a.env)", USER, false, false],
  ["what came of an answer, which overrides no denial", "allow", "Read(a.env)", SESSION, true, false],
  ["a rule for commands", "allow", "Bash(cat:*)", SESSION, false, false],
])("%s makes a denial a question, or does not", (_, behavior, text, scope, isGranted, isExcepted) => {
  const rules = [rule("deny", "Read(*.env)"), rule(behavior, text, scope, isGranted)];
  expect(passedRules(rules)).toEqual(
    isExcepted ? { deny: [], ask: ["Read(*.env)"] } : { deny: ["Read(*.env)"], ask: [] },
  );
});

test("nothing is an exception from what is managed", () => {
  const rules = [rule("deny", "Read(*.env)", MANAGED), rule("allow", "Read(a.env)", SESSION)];
  expect(passedRules(rules).deny).toEqual(["Read(*.env)"]);
});
