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

/** What a hostile repository wants run: it leaves a mark beside the project. */
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

/** A repository made to look like a folder of the project. */
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

/** How each trap is laid; where it returns a folder, git is called there. */
const TRAPS: Readonly<Record<string, (trap: Trap) => string | undefined>> = {
  "a monitor of files": ({ rig, program }) => trapConfig(rig.project, "core.fsmonitor", program),
  "a folder of hooks": ({ rig, program }) => {
    put(join(rig.project, ".hooks/post-index-change"), readFileSync(program, "utf8"));
    chmodSync(join(rig.project, ".hooks/post-index-change"), 0o755);
    config(rig.project, "core.hooksPath", ".hooks");
  },
  "a hook for the index": ({ rig, program }) => {
    put(join(rig.project, ".git/hooks/post-index-change"), readFileSync(program, "utf8"));
    chmodSync(join(rig.project, ".git/hooks/post-index-change"), 0o755);
  },
  "a converter of texts": (trap) => {
    config(trap.rig.project, "diff.x.textconv", trap.program);
    attributes(trap, "*.txt diff=x\n");
  },
  "a program that compares": (trap) => {
    config(trap.rig.project, "diff.x.command", trap.program);
    attributes(trap, "*.txt diff=x\n");
  },
  "one for all comparisons": ({ rig, program }) => trapConfig(rig.project, "diff.external", program),
  "a filter": (trap) => {
    config(trap.rig.project, "filter.x.clean", trap.program);
    attributes(trap, "*.txt filter=x\n");
  },
  "a filter that stays": (trap) => {
    config(trap.rig.project, "filter.x.process", trap.program);
    attributes(trap, "*.txt filter=x\n");
  },
  "a pager": ({ rig, program }) => trapConfig(rig.project, "core.pager", program),
  "another file": ({ rig, program }) => {
    put(join(rig.project, "more"), `[core]\n\tfsmonitor = ${program}\n`);
    config(rig.project, "include.path", "../more");
  },
  "another file for some": ({ rig, program }) => {
    put(join(rig.project, "more"), `[core]\n\tfsmonitor = ${program}\n`);
    config(rig.project, "includeIf.gitdir:**.path", "../more");
  },
  "a configuration of the working tree": ({ rig, program }) => {
    config(rig.project, "extensions.worktreeConfig", "true");
    put(join(rig.project, ".git/config.worktree"), `[core]\n\tfsmonitor = ${program}\n`);
  },
  "common files elsewhere": ({ rig, program }) => {
    git(rig.project, "clone", "-q", "--bare", ".", "common");
    config(join(rig.project, "common"), "core.fsmonitor", program);
    config(join(rig.project, "common"), "core.bare", "false");
    writeFileSync(join(rig.project, ".git/commondir"), "../common\n");
  },
  "a file in the place of the folder": ({ rig, program }) => {
    execFileSync("mv", [".git", "elsewhere"], { cwd: rig.project });
    git(rig.project, "--git-dir=elsewhere", "config", "core.fsmonitor", program);
    put(join(rig.project, ".git"), "gitdir: elsewhere\n");
  },
  "a repository that lies in the project": (trap) => bare(trap, "pkg"),
  "a folder of a repository that lies in the project": (trap) => {
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
  "a submodule that only the index names": ({ rig, program }) => {
    TRAPS["a submodule"]?.({ rig, program, mark: "" });
    rmSync(join(rig.project, ".gitmodules"));
  },
  "a remote that has what is missing": ({ rig, program }) => {
    config(rig.project, "core.repositoryFormatVersion", "1");
    config(rig.project, "extensions.partialClone", "origin");
    config(rig.project, "remote.origin.url", rig.outside);
    config(rig.project, "remote.origin.promisor", "true");
    config(rig.project, "remote.origin.uploadpack", program);
    loseBlob(rig.project);
  },
  "a remote that has what is missing, in an old format": ({ rig, program }) => {
    config(rig.project, "remote.origin.url", rig.outside);
    config(rig.project, "remote.origin.promisor", "true");
    config(rig.project, "remote.origin.uploadpack", program);
    loseBlob(rig.project);
  },
  "signatures that are checked": ({ rig, program }) => {
    config(rig.project, "log.showSignature", "true");
    config(rig.project, "gpg.program", program);
  },
  "refs of elsewhere": ({ rig, program }) => trapConfig(rig.project, "core.alternateRefsCommand", program),
  "a key in the line of its section": ({ rig, program }) => {
    const path = join(rig.project, ".git/config");
    writeFileSync(path, `${readFileSync(path, "utf8")}[core] fsmonitor = ${program}\n`);
  },
};

function loseBlob(project: string): void {
  const blob = git(project, "rev-parse", "HEAD:a.txt").trim();
  rmSync(join(project, ".git/objects", blob.slice(0, 2), blob.slice(2)), { force: true });
}

describe("a foreign repository starts no program without a question", () => {
  test.each(Object.entries(TRAPS))("%s", { timeout: 60_000 }, async (_, set) => {
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
  });

  test("and each trap does spring without that, or is asked about", async () => {
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
    // Git 2.39 and later: enough of them are real to say that the table tests something.
    expect(sprung.length).toBeGreaterThan(12);
  }, 120_000);

  test("and an ordinary one is not asked about", async () => {
    const { rig } = await lay();
    for (const command of COMMANDS)
      expect(await rig.decide("Bash", { command })).toMatchObject({ behavior: "allow", quietGit: true });
  });

  test("and a status or a difference leaves the index as it is", async () => {
    const { rig } = await lay();
    const index = join(rig.project, ".git/index");
    const file = join(rig.project, "a.txt");
    put(file, "one\n");
    for (const [at, command] of ["git status", "git diff", "git diff HEAD", "git diff --stat"].entries()) {
      // A file whose time is another than the index says tempts git to write the new one down.
      utimesSync(file, new Date(), new Date(Date.now() - 1000 * (at + 1)));
      const before = readFileSync(index);
      run(command, rig.project, quietGit(process.env));
      expect(readFileSync(index).equals(before), command).toBe(true);
    }
  });

  test("nor is a working tree beside it", async () => {
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
    // What a broken repository makes of it is not the question.
  }
}
