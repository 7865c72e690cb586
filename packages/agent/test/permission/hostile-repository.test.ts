import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { quietGit } from "../../src/permission/quiet-git.ts";
import { makeRig, put, type Rig } from "./rig.ts";

const IDENTITY = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", [...IDENTITY, "-c", "protocol.file.allow=always", ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });

/** The program that a hostile repository tries to run: it leaves a mark next to the project. */
interface Trap {
  readonly rig: Rig;
  readonly program: string;
  readonly mark: string;
}

async function lay(): Promise<Trap> {
  const rig = await makeRig();
  const mark = join(rig.outside, "ran");
  const program = join(rig.outside, "program.sh");
  writeFileSync(program, `#!/bin/sh\ntouch '${mark}'\nexit 1\n`);
  chmodSync(program, 0o755);
  cpSync(join(template, ".git"), join(rig.project, ".git"), { recursive: true });
  put(join(rig.project, "a.txt"), "two\n");
  return { rig, program, mark };
}

let template = "";
beforeAll(() => {
  template = mkdtempSync(join(tmpdir(), "agentwire-repository-"));
  git(template, "init", "-q", "-b", "main");
  put(join(template, "a.txt"), "one\n");
  git(template, "add", "-A");
  git(template, "commit", "-qm", "first");
});
afterAll(() => rmSync(template, { recursive: true, force: true }));

const config = (folder: string, key: string, value: string) => git(folder, "config", key, value);
const trapConfig = (...args: Parameters<typeof config>): undefined => {
  config(...args);
  return undefined;
};
const attributes = ({ rig }: Trap, text: string) => put(join(rig.project, ".gitattributes"), text);

/** A repository disguised as a folder of the project. */
function bare({ rig, program }: Trap, name: string): string {
  const folder = join(rig.project, name);
  mkdirSync(folder);
  git(folder, "init", "-q", "--bare");
  config(folder, "core.fsmonitor", program);
  config(folder, "core.bare", "false");
  config(folder, "core.worktree", folder);
  return folder;
}

const COMMANDS = [
  "git status",
  "git diff",
  "git log -p -3",
  "git show HEAD",
  "git blame a.txt",
  "git ls-files -m",
  "git describe --always",
  "git branch -v",
];

/** How each trap is set; if it returns a folder, git is called there. */
const TRAPS: Readonly<Record<string, (trap: Trap) => string | undefined>> = {
  "a file monitor": ({ rig, program }) => trapConfig(rig.project, "core.fsmonitor", program),
  "a folder of hooks": ({ rig, program }) => {
    put(join(rig.project, ".hooks/post-index-change"), readFileSync(program, "utf8"));
    chmodSync(join(rig.project, ".hooks/post-index-change"), 0o755);
    config(rig.project, "core.hooksPath", ".hooks");
  },
  "a hook for the index": ({ rig, program }) => {
    put(join(rig.project, ".git/hooks/post-index-change"), readFileSync(program, "utf8"));
    chmodSync(join(rig.project, ".git/hooks/post-index-change"), 0o755);
  },
  "a text converter": (trap) => {
    config(trap.rig.project, "diff.x.textconv", trap.program);
    attributes(trap, "*.txt diff=x\n");
  },
  "a diff program": (trap) => {
    config(trap.rig.project, "diff.x.command", trap.program);
    attributes(trap, "*.txt diff=x\n");
  },
  "a diff program for all files": ({ rig, program }) => trapConfig(rig.project, "diff.external", program),
  "a filter": (trap) => {
    config(trap.rig.project, "filter.x.clean", trap.program);
    attributes(trap, "*.txt filter=x\n");
  },
  "a long-running filter": (trap) => {
    config(trap.rig.project, "filter.x.process", trap.program);
    attributes(trap, "*.txt filter=x\n");
  },
  "a pager": ({ rig, program }) => trapConfig(rig.project, "core.pager", program),
  "another file": ({ rig, program }) => {
    put(join(rig.project, "more"), `[core]\n\tfsmonitor = ${program}\n`);
    config(rig.project, "include.path", "../more");
  },
  "a conditionally included file": ({ rig, program }) => {
    put(join(rig.project, "more"), `[core]\n\tfsmonitor = ${program}\n`);
    config(rig.project, "includeIf.gitdir:**.path", "../more");
  },
  "a worktree configuration": ({ rig, program }) => {
    config(rig.project, "extensions.worktreeConfig", "true");
    put(join(rig.project, ".git/config.worktree"), `[core]\n\tfsmonitor = ${program}\n`);
  },
  "a common folder elsewhere": ({ rig, program }) => {
    git(rig.project, "clone", "-q", "--bare", ".", "common");
    config(join(rig.project, "common"), "core.fsmonitor", program);
    config(join(rig.project, "common"), "core.bare", "false");
    writeFileSync(join(rig.project, ".git/commondir"), "../common\n");
  },
  "a file in place of the folder": ({ rig, program }) => {
    execFileSync("mv", [".git", "elsewhere"], { cwd: rig.project });
    git(rig.project, "--git-dir=elsewhere", "config", "core.fsmonitor", program);
    put(join(rig.project, ".git"), "gitdir: elsewhere\n");
  },
  "a bare repository in the project": (trap) => bare(trap, "pkg"),
  "a folder of a bare repository in the project": (trap) => {
    const folder = join(bare(trap, "pkg"), "src/deep");
    mkdirSync(folder, { recursive: true });
    return folder;
  },
  "a submodule": ({ rig, program }) => {
    const sub = join(rig.project, "lib");
    mkdirSync(sub);
    git(sub, "init", "-q");
    put(join(sub, "b.txt"), "b");
    git(sub, "add", "-A");
    git(sub, "commit", "-qm", "sub");
    put(
      join(rig.project, ".gitmodules"),
      '[submodule "lib"]\n\tpath = lib\n\turl = ./lib\n\tignore = none\n',
    );
    git(rig.project, "add", ".gitmodules", "lib");
    git(rig.project, "commit", "-qm", "with a submodule");
    config(sub, "core.fsmonitor", program);
    put(join(sub, "b.txt"), "c");
  },
  "a submodule that is only in the index": ({ rig, program }) => {
    TRAPS["a submodule"]?.({ rig, program, mark: "" });
    rmSync(join(rig.project, ".gitmodules"));
  },
  "a promisor remote": ({ rig, program }) => {
    config(rig.project, "core.repositoryFormatVersion", "1");
    config(rig.project, "extensions.partialClone", "origin");
    config(rig.project, "remote.origin.url", rig.outside);
    config(rig.project, "remote.origin.promisor", "true");
    config(rig.project, "remote.origin.uploadpack", program);
    loseBlob(rig.project);
  },
  "a promisor remote in an old format": ({ rig, program }) => {
    config(rig.project, "remote.origin.url", rig.outside);
    config(rig.project, "remote.origin.promisor", "true");
    config(rig.project, "remote.origin.uploadpack", program);
    loseBlob(rig.project);
  },
  "signature checks": ({ rig, program }) => {
    config(rig.project, "log.showSignature", "true");
    config(rig.project, "gpg.program", program);
  },
  "alternate refs": ({ rig, program }) => trapConfig(rig.project, "core.alternateRefsCommand", program),
  "a key on the line of its section": ({ rig, program }) => {
    const path = join(rig.project, ".git/config");
    writeFileSync(path, `${readFileSync(path, "utf8")}[core] fsmonitor = ${program}\n`);
  },
};

function loseBlob(project: string): void {
  const blob = git(project, "rev-parse", "HEAD:a.txt").trim();
  rmSync(join(project, ".git/objects", blob.slice(0, 2), blob.slice(2)), { force: true });
}

describe("an untrusted repository", () => {
  test.each(Object.entries(TRAPS))(
    "can't start a program without a question by %s",
    { timeout: 60_000 },
    async (_, set) => {
      const trap = await lay();
      const { rig, mark } = trap;
      const cwd = set(trap) ?? rig.project;
      rmSync(mark, { force: true });
      for (const command of COMMANDS) {
        const workspace = { cwd, outputFolder: rig.output } as never;
        const decision = await rig.decide("Bash", { command }, { workspace });
        if (decision.behavior !== "allow") continue;
        expect(decision.quietGit).toBe(true);
        run(command, cwd, quietGit(process.env));
        expect(existsSync(mark), `${command} in ${dirname(cwd)}`).toBe(false);
      }
    },
  );

  test("contains traps that work without this protection", async () => {
    const sprung: string[] = [];
    for (const [name, set] of Object.entries(TRAPS)) {
      const trap = await lay();
      const cwd = set(trap) ?? trap.rig.project;
      rmSync(trap.mark, { force: true });
      const hasSprung = ["git status", "git diff", "git log -p -1"].some((command) => {
        run(command, cwd, {});
        return existsSync(trap.mark);
      });
      if (hasSprung) sprung.push(name);
    }
    // The others need older versions of git. These are enough to show that the table is a real test.
    expect(sprung.length).toBeGreaterThan(12);
  }, 120_000);

  test("without traps causes no questions", async () => {
    const { rig } = await lay();
    for (const command of COMMANDS)
      expect(await rig.decide("Bash", { command })).toMatchObject({ behavior: "allow", quietGit: true });
  });

  test("keeps its index unchanged after git status and git diff", async () => {
    const { rig } = await lay();
    const index = join(rig.project, ".git/index");
    const file = join(rig.project, "a.txt");
    put(file, "one\n");
    for (const [at, command] of ["git status", "git diff", "git diff HEAD", "git diff --stat"].entries()) {
      // Git is tempted to update the index if a file's time differs from it.
      utimesSync(file, new Date(), new Date(Date.now() - 1000 * (at + 1)));
      const before = readFileSync(index);
      run(command, rig.project, quietGit(process.env));
      expect(readFileSync(index).equals(before), command).toBe(true);
    }
  });

  test("without traps causes no questions in a worktree either", async () => {
    const { rig } = await lay();
    git(rig.project, "worktree", "add", "-q", "tree");
    const workspace = { cwd: join(rig.project, "tree"), outputFolder: rig.output } as never;
    expect(await rig.decide("Bash", { command: "git status" }, { workspace })).toMatchObject({
      behavior: "allow",
    });
  });
});

function run(command: string, cwd: string, env: Readonly<Record<string, string>>): void {
  try {
    execFileSync("sh", ["-c", command], {
      cwd,
      env: { ...process.env, ...env },
      stdio: "ignore",
      timeout: 5000,
    });
  } catch {
    // Other effects of a broken repository do not matter here.
  }
}
