import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openGit, packSnapshot, unpackSnapshots } from "../../src/worktree/index.ts";
import { commit, ENV, git, newFolder, newRepository, write } from "./repository-of-files.ts";

const REF = "refs/agentwire/s1";
const LIMIT = 10_000_000;

test("a packed checkout is restored elsewhere with its branch, its history and all files that are not ignored, and is itself unchanged", async () => {
  const folder = newRepository({ ".gitignore": "*.log\n", "a.txt": "one\n", "b.txt": "two\n" });
  write(folder, { "a.txt": "staged\n", "new/deep.txt": "new\n", "x.log": "ignored\n" });
  git(folder, "add", "a.txt");
  write(folder, { "a.txt": "changed\n" });
  const state = () => [
    git(folder, "status", "--short"),
    git(folder, "rev-parse", "HEAD"),
    readFileSync(join(folder, ".git", "index")).toString("base64"),
  ];
  const before = state();
  const at = await openGit(folder, ENV);
  const first = await packSnapshot(at, { ref: REF, known: undefined, maxBytes: LIMIT });
  expect(state()).toEqual(before);
  if (!first) throw new Error("nothing was packed");
  expect(await packSnapshot(at, { ref: REF, known: first, maxBytes: LIMIT })).toBeUndefined();
  rmSync(join(folder, "b.txt"));
  write(folder, { "new/deep.txt": "newer\n" });
  commit(folder, "second");
  const second = await packSnapshot(at, { ref: REF, known: first, maxBytes: LIMIT });
  if (!second) throw new Error("nothing was packed");
  expect([first.isWhole, second.isWhole]).toEqual([true, false]);
  const other = newFolder();
  const read = (name: string) => readFileSync(join(other, name), "utf8");
  await unpackSnapshots(other, REF, [first], ENV);
  expect([read("a.txt"), read("b.txt"), read("new/deep.txt")]).toEqual(["changed\n", "two\n", "new\n"]);
  expect(existsSync(join(other, "x.log"))).toBe(false);
  expect(git(other, "status", "--short")).toBe(" M a.txt\n?? new/");
  // An existing checkout is updated.
  await unpackSnapshots(other, REF, [first, second], ENV);
  expect([read("a.txt"), existsSync(join(other, "b.txt")), read("new/deep.txt")]).toEqual([
    "changed\n",
    false,
    "newer\n",
  ]);
  expect(git(other, "log", "--format=%H", "main")).toBe(git(folder, "log", "--format=%H", "main"));
  expect(git(other, "symbolic-ref", "--short", "HEAD")).toBe("main");
  expect(git(other, "status", "--short")).toBe("");
});

test("programs that a repository configures do not run while it is packed and restored, and the error for a repository that is too large says what to do", async () => {
  const folder = newRepository({ ".gitattributes": "* filter=evil diff=evil\n", "a.txt": "one\n" });
  const ran = join(newFolder(), "ran");
  const program = join(folder, ".git", "evil");
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> ${ran}\ncat\n`);
  chmodSync(program, 0o755);
  for (const hook of [
    "post-checkout",
    "reference-transaction",
    "post-index-change",
    "pre-commit",
    "post-commit",
  ]) {
    writeFileSync(join(folder, ".git", "hooks", hook), `#!/bin/sh\necho ${hook} >> ${ran}\n`);
    chmodSync(join(folder, ".git", "hooks", hook), 0o755);
  }
  for (const key of [
    "filter.evil.clean",
    "filter.evil.smudge",
    "filter.evil.process",
    "core.fsmonitor",
    "core.pager",
  ])
    git(folder, "config", key, program);
  for (const key of ["core.sshCommand", "gpg.program", "diff.evil.textconv", "diff.external"])
    git(folder, "config", key, program);
  git(folder, "config", "commit.gpgSign", "true");
  rmSync(ran, { force: true });
  writeFileSync(join(folder, "b.txt"), "two\n");
  const at = await openGit(folder, ENV);
  const packed = await packSnapshot(at, { ref: REF, known: undefined, maxBytes: LIMIT });
  const other = newFolder();
  await unpackSnapshots(other, REF, packed ? [packed] : [], ENV);
  expect(readFileSync(join(other, "b.txt"), "utf8")).toBe("two\n");
  expect(existsSync(ran)).toBe(false);
  await expect(packSnapshot(at, { ref: REF, known: undefined, maxBytes: 100 })).rejects.toThrow(
    /would pack to 1 MB, and the limit is 1 MB: add large files to \.gitignore/,
  );
});
