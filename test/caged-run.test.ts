import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { run, snapshot } from "../soak/caged-run.mjs";
import { makePlace } from "../soak/hostile-places.mjs";
import { debianProgram } from "./debian.ts";

const at = (name: string) => [`/usr/bin/${name}`, `/bin/${name}`];
debianProgram("bubblewrap", at("bwrap"));
debianProgram("strace", at("strace"));
debianProgram("zsh", at("zsh"));

const base = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-caged-")));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const plain = makePlace("plain", base);
const before = snapshot(plain);
const caged = (command: string, shell: string, place = plain) =>
  run([command], { base, place, shell, script: 'eval "$1"', environment: {} });

test.each(["bash", "zsh"])("what a command starts and changes in %s is detected, and undone", (shell) => {
  expect(caged("cat a.txt | sort", shell).toSorted()).toEqual(["/usr/bin/cat", "/usr/bin/sort"]);
  expect(snapshot(plain)).toBe(before);
  for (const command of ["touch new.txt", "echo x > a.txt", "chmod +x a.txt", "touch /tmp/x", "mkdir new"]) {
    caged(command, shell);
    expect(snapshot(plain), command).not.toBe(before);
    plain.restore();
    expect(snapshot(plain), command).toBe(before);
  }
  expect(caged("PATH=5; whoami", shell)).toContain("5/whoami");
  plain.restore();
});

test("programs that only one of the two shells starts are detected", () => {
  expect(caged("< a.txt", "bash")).toEqual([]);
  expect(caged("< a.txt", "zsh")).toHaveLength(1);
  expect(caged("printf 'abcde%n' PATH; whoami", "bash")).toEqual(["5/whoami"]);
});

test.each([
  ["monitor", "git status"],
  ["converters", "git diff"],
  ["included", "git status"],
  ["common folder", "git status"],
  ["folder elsewhere", "git status"],
  ["inside a bare repository", "git status"],
  ["submodule", "git status"],
  ["promisor remote", "git show HEAD:a.txt"],
])('the trap "%s" runs its program', (kind, command) => {
  const place = makePlace(kind, base);
  expect(caged(command, "bash", place).some((path) => path === join(place.root, "trap"))).toBe(true);
});
