import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makePlaces, makeRig, outcome, put, type RigOptions } from "./rig.ts";

const ACCEPT = { mode: "acceptEdits" } as const;
const deny = (...rules: string[]) => ({ user: { permissions: { deny: rules } } });

describe("a path outside the project is asked about:", () => {
  test.each([
    ["Read", "way-out/secret.txt", "through a linked folder"],
    ["Read", "sub/../../outside/secret.txt", "through .."],
    ["Read", "way-out/../outside/secret.txt", "through .. after a link"],
    ["Read", "~/notes.txt", "in the home folder"],
    ["Write", "dangling", "through a link to a file that doesn't exist yet"],
    ["Write", "way-out/deep/er/new.txt", "into new folders behind a link"],
    ["Edit", "/etc/passwd", "by an absolute path"],
    ["Write", "a\0b", "with an invalid character"],
    ["Write", "a.txt/b", "through a file"],
    ["Write", "loop", "in a cycle"],
  ])("%s of %s, %s", async (tool, path) => {
    const rig = await makeRig(ACCEPT);
    symlinkSync(join(rig.project, "loop"), join(rig.project, "loop"));
    expect(await outcome(rig, tool, { file_path: path })).toBe("ask");
  });

  test.each([
    [{ pattern: "/etc/*" }],
    [{ pattern: "../outside/*" }],
    [{ pattern: "sub/../../**" }],
    [{ pattern: "{/etc,sub}/*" }],
    [{ pattern: "way-out/*.txt" }],
    [{ pattern: "**/*", path: "way-out" }],
    [{}],
  ])("Glob of %j", async (input) => {
    expect(await outcome(await makeRig(), "Glob", input)).toBe("ask");
  });

  test("a relative path starts at the shell's folder, not the session's", async () => {
    const rig = await makeRig();
    const workspace = { cwd: rig.outside, outputFolder: rig.output } as never;
    expect(await outcome(rig, "Read", { file_path: "secret.txt" }, { workspace })).toBe("ask");
    expect(await outcome(rig, "Bash", { command: "cat secret.txt" }, { workspace })).toBe("ask");
    expect(await outcome(rig, "Grep", { pattern: "x" }, { workspace })).toBe("ask");
  });

  test("the path of another tool's input is ignored", async () => {
    const rig = await makeRig(ACCEPT);
    expect(await outcome(rig, "NotebookEdit", { file_path: "a.txt", notebook_path: "/etc/n.ipynb" })).toBe(
      "ask",
    );
    expect(await outcome(rig, "Grep", { file_path: "a.txt", path: "/etc" })).toBe("ask");
    expect(await outcome(rig, "Read", {})).toBe("ask");
    expect(await outcome(rig, "Read", { file_path: 7 })).toBe("ask");
  });
});

describe("a path inside the project is accepted:", () => {
  test.each([
    ["Read", { file_path: "sub/../a.txt" }],
    ["Glob", { pattern: "**/*.txt" }],
    ["Glob", { pattern: "sub/*.txt", path: "." }],
    ["Grep", { pattern: "/etc/passwd" }],
    ["Write", { file_path: "new/folder/file.txt" }],
    ["Write", { file_path: "..dots.txt" }],
  ])("%s of %j", async (tool, input) => {
    expect(await outcome(await makeRig(ACCEPT), tool, input)).toBe("allow");
  });

  test("a link from outside, an added folder and the folder for long output", async () => {
    const places = makePlaces();
    const rig = await makeRig({ places });
    expect(await outcome(rig, "Read", { file_path: join(places.outside, "way-in/a.txt") })).toBe("allow");
    expect(await outcome(rig, "Read", { file_path: join(places.output, "long.txt") })).toBe("allow");
    expect(await outcome(rig, "Write", { file_path: join(places.output, "x.txt") })).toBe("ask");
    const secret = { file_path: join(places.outside, "secret.txt") };
    for (const options of [
      { additionalDirectories: [places.outside] },
      { additionalDirectories: ["../outside"] },
      { user: { permissions: { additionalDirectories: [places.outside] } } },
    ]) {
      const wider = await makeRig({ places, ...options });
      expect(wider.gate.directories).toEqual([places.outside]);
      expect(await outcome(wider, "Read", secret)).toBe("allow");
    }
  });
});

describe("a rule can't be circumvented", () => {
  const cases: readonly (readonly [string, RigOptions, string, Readonly<Record<string, unknown>>])[] = [
    ["by a link", deny("Read(//**/outside/**)"), "Read", { file_path: "way-out/secret.txt" }],
    ["by ..", deny("Read(./a.txt)"), "Read", { file_path: "sub/../a.txt" }],
    ["by a redirection", deny("Edit(./sub/**)"), "Bash", { command: "echo x > sub/b.txt" }],
    ["by a program", deny("Edit(./sub/**)"), "Bash", { command: "touch sub/new.txt" }],
    ["by reading in the shell", deny("Read(./a.txt)"), "Bash", { command: "cat a.txt" }],
    ["by a link in the shell", deny("Read(//**/outside/**)"), "Bash", { command: "cat way-out/secret.txt" }],
    ["by a second command", deny("Bash(touch *)"), "Bash", { command: "ls && touch x" }],
    ["by a wrapper", deny("Bash(touch *)"), "Bash", { command: "timeout 5 touch x" }],
    ["by a substitution", deny("Bash(touch *)"), "Bash", { command: 'echo "$(touch x)"' }],
    ["by Write for Edit", deny("Edit(./sub/**)"), "Write", { file_path: "sub/new.txt" }],
  ];
  test.each(cases)("%s", async (_, options, tool, input) => {
    const rig = await makeRig({ mode: "bypassPermissions", ...options });
    expect(await outcome(rig, tool, input)).toBe("deny");
  });

  test("by changing the shell's folder", async () => {
    const rig = await makeRig(deny("Read(./sub/b.txt)"));
    const workspace = { cwd: join(rig.project, "sub"), outputFolder: rig.output } as never;
    expect(await outcome(rig, "Read", { file_path: "b.txt" }, { workspace })).toBe("deny");
    expect(await outcome(rig, "Bash", { command: "cat b.txt" }, { workspace })).toBe("deny");
  });

  test("and an allow applies in every folder of the shell", async () => {
    const rig = await makeRig({ user: { permissions: { allow: ["Edit(./sub/**)"] } } });
    const workspace = { cwd: join(rig.project, "sub"), outputFolder: rig.output } as never;
    expect(await outcome(rig, "Edit", { file_path: "b.txt" }, { workspace })).toBe("allow");
    expect(await outcome(rig, "Edit", { file_path: "../a.txt" }, { workspace })).toBe("ask");
  });

  test("and an allow for a folder does not cover the targets of its links", async () => {
    const rig = await makeRig({ user: { permissions: { allow: ["Read(./**)", "Edit(./**)"] } } });
    expect(await outcome(rig, "Edit", { file_path: "a.txt" })).toBe("allow");
    expect(await outcome(rig, "Edit", { file_path: "way-out/x.txt" })).toBe("ask");
    expect(await outcome(rig, "Edit", { file_path: "dangling" })).toBe("ask");
  });

  test("and an allow does not cover a path that can't be resolved", async () => {
    const rig = await makeRig({ user: { permissions: { allow: ["Edit(./**)"] } } });
    expect(await outcome(rig, "Edit", { file_path: "a.txt/b" })).toBe("ask");
  });
});

describe("a file that controls what other programs run is always asked about:", () => {
  test.each([
    [".git/config"],
    ["sub/.git/hooks/pre-commit"],
    [".GIT/config"],
    [".claude/settings.local.json"],
    [".mcp.json"],
    [".bashrc"],
    [".vscode/tasks.json"],
    ["innocent/config"],
  ])("%s", async (path) => {
    const rig = await makeRig(ACCEPT);
    mkdirSync(join(rig.project, ".git"), { recursive: true });
    symlinkSync(join(rig.project, ".git"), join(rig.project, "innocent"));
    expect(await outcome(rig, "Write", { file_path: path })).toBe("ask");
    expect(await outcome(rig, "Bash", { command: `touch ${path}` })).toBe("ask");
    expect(rig.asked).toMatchObject([
      { decision_reason_type: "safetyCheck", classifier_approvable: true, permission_suggestions: [] },
      { decision_reason_type: "safetyCheck", blocked_path: join(rig.project, path) },
    ]);
    expect(rig.asked[0]).not.toHaveProperty("blocked_path");
  });

  test("except in a worktree within such a folder", async () => {
    const rig = await makeRig(ACCEPT);
    expect(await outcome(rig, "Write", { file_path: ".claude/worktrees/w/a.txt" })).toBe("allow");
    expect(await outcome(rig, "Write", { file_path: ".claude/worktrees/w/.git/config" })).toBe("ask");
  });
});

describe("a shell command", () => {
  test.each([
    "pwd",
    "ls -la sub",
    "cat a.txt sub/b.txt",
    "cat < a.txt",
    "grep -rn 'a/b' sub",
    "grep -c x a.txt && wc -l a.txt; echo done",
    "find . -name '*.txt' | sort -u | head -5",
    "cat a.txt 2>/dev/null",
    "if ls sub; then echo yes; fi",
    "printf '%s\\n' hello",
  ])("that only reads the project runs without a question: %s", async (command) => {
    expect(await outcome(await makeRig(), "Bash", { command })).toBe("allow");
  });

  test.each([
    "cat /etc/passwd",
    "cat way-out/secret.txt",
    "cat ../outside/secret.txt",
    "cat ~/x",
    "cat < /etc/passwd",
    "cat $FILE",
    "cat *",
    "cat -- -link",
    "cd .. && cat a.txt",
    "cd sub; cat ../../outside/secret.txt",
    "FOO=1 ls",
    "./ls",
    "grep -ex /etc/passwd",
    "grep --regexp=x /etc/passwd",
    "grep -f /etc/passwd a.txt",
    "grep -R x .",
    "rg --files /etc",
    "rg --pre=sh x",
    "find . -delete",
    "find . -exec rm {} +",
    "sort -o a.txt a.txt",
    "sort --output=b.txt a.txt",
    "uniq a.txt b.txt",
    "diff -r sub other",
    "env",
    "printf -v PATH x",
    "echo x | sh",
    "ls; curl example.org",
    "ls `touch x`",
    "echo x > /dev/tcp/127.0.0.1/80",
    "exit 3",
    "",
    "ls 'unclosed",
    "ls\u0000",
  ])("that may do more is asked about: %s", async (command) => {
    expect(await outcome(await makeRig(), "Bash", { command })).toBe("ask");
  });

  test.each([
    "touch new.txt",
    "mkdir -p a/b && cp a.txt a/b",
    "mv a.txt sub/",
    "echo one >> a.txt",
    "cat a.txt > sub/c.txt",
  ])("that edits the project runs without a question in acceptEdits: %s", async (command) => {
    expect(await outcome(await makeRig(ACCEPT), "Bash", { command })).toBe("allow");
  });

  test.each([
    "rm -rf sub",
    "touch way-out/x",
    "cp a.txt way-out",
    "cp /etc/passwd a.txt",
    "cp -r sub other",
    "cp -t way-out a.txt",
    "mv a.txt linked",
    "cp secret linked",
    "echo x > dangling",
    "echo x > $HOME/.profile",
    "touch new.txt && python3 x.py",
    "sed -i s/a/b/ a.txt",
    "mkdir -m 777 x",
    "mv linked elsewhere && cat elsewhere/secret",
    "tee a.txt",
  ])("that may change more is asked about in acceptEdits: %s", async (command) => {
    const rig = await makeRig(ACCEPT);
    put(join(rig.project, "secret"));
    mkdirSync(join(rig.project, "linked"));
    for (const name of ["secret", "a.txt"])
      symlinkSync(join(rig.outside, name), join(rig.project, "linked", name));
    expect(await outcome(rig, "Bash", { command })).toBe("ask");
  });

  test("runs if each part is allowed by a rule or harmless", async () => {
    const rig = await makeRig({ allowedTools: ["Bash(npm test *)"] });
    expect(await outcome(rig, "Bash", { command: "npm test -- x | tail -5" })).toBe("allow");
    expect(await outcome(rig, "Bash", { command: "npm test; npm publish" })).toBe("ask");
  });

  test.each(["cd", "pushd", "command cd"])("is not considered harmless after %s", async (move) => {
    const allowedTools = ["Bash(cd *)", "Bash(pushd *)", "Bash(command cd *)"];
    const rig = await makeRig({ ...ACCEPT, allowedTools });
    expect(await outcome(rig, "Bash", { command: `${move} /etc && cat passwd` })).toBe("ask");
    expect(await outcome(rig, "Bash", { command: `${move} /etc; touch new.txt` })).toBe("ask");
    expect(await outcome(rig, "Bash", { command: `cd ${rig.project} && cat a.txt` })).toBe("allow");
  });

  test("may read outside the project what a Read rule allows", async () => {
    const rig = await makeRig({ user: { permissions: { allow: ["Read(//etc/**)"] } } });
    expect(await outcome(rig, "Bash", { command: "cat /etc/hostname" })).toBe("allow");
    expect(await outcome(rig, "Bash", { command: "cat /usr/x" })).toBe("ask");
  });

  test("that is empty is asked about", async () => {
    expect(await outcome(await makeRig(), "Bash", { command: ["ls"] })).toBe("ask");
  });
});

test("a tool whose properties throw is denied", async () => {
  const rig = await makeRig();
  const tool = {
    name: "Bash",
    isReadOnly: () => {
      throw new Error("broken");
    },
  } as never;
  expect(await rig.decide("Bash", { command: "x" }, { tool })).toMatchObject({
    behavior: "deny",
    automatic: true,
  });
});
