import { describe, expect, test } from "vitest";
import { bashTool } from "../../../src/tools/bash/bash.ts";

const bash = bashTool();

describe("a command is read-only:", () => {
  test.each([
    "ls -la src",
    "cat a.txt | head -5 | wc -l",
    "pwd && whoami",
    "echo done",
    "git status",
    "git log --oneline -5 --first-parent",
    "git diff HEAD~1 -- src",
    "git branch -a",
    "git stash list",
    "grep -rn 'a|b' src",
    "rg --files",
    "find . -name '*.ts' -type f",
    "ls *.ts",
    "cat < in.txt",
    "ls missing 2>/dev/null",
    "sed -n '1,20p' a.txt",
    "sort -u a.txt | uniq -c",
    "node --version",
    "command -v node",
    "for f in a b; do cat $f; done",
    "date +%s",
    "echo $(pwd)",
  ])("%s", (command) => {
    expect(bash.isReadOnly({ command })).toBe(true);
  });
});

describe("a command that may change something is not read-only:", () => {
  test.each([
    "",
    "rm a",
    "echo a > b",
    "echo a >> b",
    "ls; rm a",
    "ls && touch b",
    "ls | tee b",
    "echo $(rm a)",
    "echo `rm a`",
    "cat <(rm a)",
    "find . -delete",
    "find . -exec rm {} +",
    "find . $X",
    "find . {-delete,}",
    "find * -name x",
    "find . -fprintf out x",
    "sort -o a a",
    "sort -uo a a",
    "sort --compress-program=./evil a",
    "uniq a b",
    "date -s 2020-01-01",
    "git commit -m x",
    "git -c core.pager=evil log",
    "git log --output=a",
    "git diff --outp a",
    "git log --ext-diff",
    "git branch new",
    "git stash",
    "git remote add x y",
    "git tag v1",
    "sed -i s/a/b/ x",
    "sed -n '1e rm a' x",
    "sed -n 1p -i x",
    "rg --pre ./evil x",
    "./ls",
    "/tmp/evil/cat a",
    "PATH=. ls",
    "PAGER=evil git log",
    "printf -v 'a[$(rm b)]' x",
    "xargs rm",
    "env rm a",
    "sudo ls",
    "bash -c ls",
    "eval ls",
    "cd /",
    "node -e 1",
    "npm --version --x",
    "cat < /dev/tcp/host/80",
    "ls() { rm a; }; ls",
    "alias ls=rm; ls",
    "ls & rm a",
    "ls\nrm a",
    "cat 'unclosed",
    "$X",
    "hostname other",
    "tree -o out",
  ])("%s", (command) => {
    expect(bash.isReadOnly({ command })).toBe(false);
  });

  test("any command in the background", () => {
    expect(bash.isReadOnly({ command: "ls", run_in_background: true })).toBe(false);
  });
});
