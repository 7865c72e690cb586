import { QuestionSchema } from "@agentwire/api";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { isExactRule } from "../../src/permission/exact-rule.ts";

const PLACE = { cwd: "/project", home: "/home/ada" };
const asks = (toolName: string, input: object) =>
  create(QuestionSchema, { toolName, inputJson: JSON.stringify(input) });
const edit = asks("Write", { file_path: "/project/src/a.ts" });

test.each([
  ["Edit(//project/src/a.ts)", edit, true],
  ["Edit(/src/a.ts)", edit, true],
  ["Edit(./src/a.ts)", edit, true],
  ["Edit(src/a.ts)", edit, false],
  ["Edit(a.ts)", edit, false],
  ["Edit(/src)", edit, false],
  ["Edit(/src/)", edit, false],
  ["Edit(/src/a.ts/)", edit, false],
  ["Edit(/src/*.ts)", edit, false],
  ["Edit(/src/[a].ts)", edit, false],
  ["Edit(/src/../src/b.ts)", edit, false],
  ["Edit(//)", edit, false],
  ["Edit", edit, false],
  ["Read(/src/a.ts)", edit, false],
  ["Bash(/src/a.ts)", edit, false],
  ["Read(~/notes)", asks("Read", { file_path: "/home/ada/notes" }), true],
  ["Read(//project)", asks("Grep", { pattern: "x", path: "/project" }), false],
  ["Bash(rm *.tmp)", asks("Bash", { command: "rm *.tmp" }), false],
  ["Bash(echo \\(a\\))", asks("Bash", { command: "echo (a)" }), true],
  ["WebFetch(domain:example.org)", asks("WebFetch", { url: "https://example.org/a" }), false],
  ["mcp__files__remove", asks("mcp__files__remove", { path: "a" }), false],
  ["Bash(ls)", create(QuestionSchema, { toolName: "Bash" }), false],
])("detects whether %s allows exactly one call", (rule, question, isExact) => {
  expect(isExactRule(rule, question, PLACE)).toBe(isExact);
});
