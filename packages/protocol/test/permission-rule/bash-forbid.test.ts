// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are expansions of the shell
import { describe, expect, test } from "vitest";
import type { RuleBehavior } from "../../src/permission-rule/given-rule.ts";
import { bashRules, given, judgeCommand } from "./given.ts";

const FOUND: Readonly<Record<string, readonly string[]>> = {
  "as it stands": ["rm x", "rm", "rm -rf /", "  rm   x"],
  "in any part of a text": [
    "ls; rm x",
    "ls && rm x",
    "ls | rm x",
    "ls & rm x",
    "ls\nrm x",
    "(ls; rm x)",
    "{ rm x; }",
    "! rm x",
    "if true; then rm x; fi",
    "for f in a; do rm $f; done",
    "while true; do rm x; done",
    "echo $(rm x)",
    "echo `rm x`",
    'echo "$(rm x)"',
    "cat <(rm x)",
    "echo ${a:-$(rm x)}",
    "cat <<EOF\n$(rm x)\nEOF",
    "rm x > f",
    "FOO=1 rm x",
  ],
  "however it is spelled": [
    "\\rm x",
    "r\\m x",
    "'rm' x",
    "r''m x",
    'r"m" x',
    "$'rm' x",
    "$'\\x72m' x",
    "$'\\162m' x",
    '$"rm" x',
    "/bin/rm x",
    "../../bin/rm x",
    "r${a}m x",
    "r$a''m x",
    "$a rm x",
    "r`true`m x",
    "{rm,-rf,x}",
    "rm\t-rf x",
  ],
  "in a wrapper": [
    "timeout 5 rm x",
    "/usr/bin/timeout 5 rm x",
    "timeout --unknown 5 rm x",
    "nice -n 5 rm x",
    "nohup rm x",
    "time rm x",
    "command rm x",
    "command -p rm x",
    "exec rm x",
    "env rm x",
    "env -i A=b rm x",
    "env -u A rm x",
    "ls | xargs rm",
    "ls | xargs -I{} rm {}",
    "sudo rm x",
    "sudo -u bob /bin/rm x",
    "find . -exec rm {} \\;",
    "find . -execdir /bin/rm {} +",
    "watch -n 1 rm x",
    "setsid rm x",
    "busybox rm x",
    "npx rm x",
    "nice nohup timeout 5 rm x",
    `${"nice ".repeat(50)}rm x`,
  ],
  "in a script that is an argument or an input": [
    "bash -c 'rm x'",
    "sh -c 'ls;rm x'",
    "bash -c 'ls && (rm x)'",
    "eval 'rm x'",
    "eval rm x",
    "bash -c 'bash -c \"rm x\"'",
    "sudo sh -c 'rm x'",
    "ssh host 'cd y && rm x'",
    "find . -exec sh -c 'ls; rm x' \\;",
    "trap 'rm x' EXIT",
    "bash <<EOF\nrm x\nEOF",
    "bash <<< 'rm x'",
    "timeout 5 bash <<'EOF'\nls\nrm x\nEOF",
    "xargs -I{} sh -c 'rm {}'",
  ],
  "in what can't be read": [
    "f() { rm x; }; f",
    "case a in a) rm x;; esac",
    "[[ -f x ]] && rm x",
    "((a)); rm x",
    "a=(b); rm x",
    "echo $((b)); rm x",
    "ls\rrm x",
    "r\u200bm x",
    "rm x '",
    "if true; then rm x",
    "((a)) && sudo rm x",
    "((a)); 'r'm x",
    "((a)); /bin/rm x",
    "((a)); FOO=1 rm x",
  ],
};

const NOT_FOUND = [
  "ls rm",
  "echo rm x",
  "git commit -m 'rm x'",
  "timeout 5 git commit -m 'rm x'",
  "env A=rm ls",
  "rmdir x",
  "ls # rm x",
  "xrm x",
  "cat <<'EOF'\nrm x\nEOF",
  "git rm x",
  "cat rm",
  "((a)); echo rm x",
];

describe.each<[RuleBehavior]>([["deny"], ["ask"]])("a rule to %s a command", (behavior) => {
  const rules = [given("allow", "Bash"), given(behavior, "Bash(rm *)")];

  describe.each(Object.entries(FOUND))("finds it %s", (_, commands) => {
    test.each([...commands])("%j", (command) => {
      expect(judgeCommand(command, rules)).toMatchObject({ behavior, rules: [rules[1]] });
    });
  });

  test.each(NOT_FOUND)("does not find it in %j", (command) => {
    expect(judgeCommand(command, rules).behavior).toBe("allow");
  });
});

describe("a deny rule", () => {
  test.each([
    ["git push", "git push", "deny"],
    ["git push", " git  push ", "deny"],
    ["git push", "ls && git push", "deny"],
    ["git push", "sudo git push", "deny"],
    ["git push", "git push origin", "allow"],
    ["git push:*", "git push origin", "deny"],
    ["* --force", "git push --force", "deny"],
    ["*DROP TABLE*", "psql -c 'DROP TABLE x'", "deny"],
    ["curl * | bash", "curl x | bash", "deny"],
    ["curl * | bash", "ls; curl x  |  bash", "deny"],
    ["curl * | bash", "curl x | sh", "allow"],
    ["A=1 make", "A=1 make", "deny"],
    ["A=1 make", "make", "allow"],
    ["echo 'x", "echo 'x", "deny"],
    ["f() { x; }", "f() { x; }", "deny"],
    ["find * -delete", "find . -delete", "deny"],
    ["npm publish *", "npm 'publish' --tag x", "deny"],
  ])("%j given, %j is judged: %s", (content, command, behavior) => {
    const rules = [given("allow", "Bash"), ...bashRules("deny", [content])];
    expect(judgeCommand(command, rules).behavior).toBe(behavior);
  });

  test.each([
    ["Edit(.env)", "echo x > .env", "deny"],
    ["Edit(.env)", "echo x > ./a/../.env", "deny"],
    ["Edit(.env)", "echo x >> sub/.env", "deny"],
    ["Edit(.env)", "{ echo x; } 2> .env", "deny"],
    ["Edit(.env)", "cat < .env", "allow"],
    ["Read(.env)", "cat < .env", "deny"],
    ["Read(.env)", "echo x > .env", "allow"],
    ["Edit(~/.bashrc)", "echo x > /home/ada/.bashrc", "deny"],
    ["Edit", "echo x > f", "allow"],
  ])("for files, %j, also covers what the shell opens in %j", (rule, command, behavior) => {
    expect(judgeCommand(command, [given("allow", "Bash"), given("deny", rule)]).behavior).toBe(behavior);
  });
});
