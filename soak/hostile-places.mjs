import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** A program that must not be started: each of the places below tries to make git or a shell start it. */
const TRAP = "#!/bin/sh\ntouch /tmp/sprung\n";

/** How the repository of each place is made hostile; if the function returns a folder, commands are run there. */
const KINDS = {
  plain: () => undefined,
  hooks({ root, trap }) {
    for (const name of [
      "post-index-change",
      "post-checkout",
      "reference-transaction",
      "pre-auto-gc",
      "fsmonitor-watchman",
    ]) {
      cpSync(trap, join(root, ".git/hooks", name));
    }
  },
  monitor: ({ config, trap }) => config("core.fsmonitor", trap),
  "other hooks": ({ root, config, trap }) => {
    put(join(root, ".hooks/post-index-change"), readFileSync(trap), 0o755);
    config("core.hooksPath", ".hooks");
  },
  converters({ root, config, trap }) {
    config("diff.x.textconv", trap);
    config("diff.y.command", trap);
    config("filter.z.clean", trap);
    config("filter.z.process", trap);
    put(join(root, ".gitattributes"), "a.txt diff=x\nsub/** diff=y filter=z\n");
    put(join(root, ".git/info/attributes"), "link filter=z\n");
  },
  pager({ config, trap }) {
    config("core.pager", trap);
    config("pager.log", trap);
    config("core.editor", trap);
    config("diff.external", trap);
    config("log.showSignature", "true");
    config("gpg.program", trap);
    config("core.alternateRefsCommand", trap);
  },
  included({ root, config, trap }) {
    put(join(root, "more"), `[core]\n\tfsmonitor = ${trap}\n`);
    config("include.path", "../more");
  },
  "configuration of a working tree": ({ root, config, trap }) => {
    config("extensions.worktreeConfig", "true");
    put(join(root, ".git/config.worktree"), `[core]\n\tfsmonitor = ${trap}\n`);
  },
  "common folder": ({ root, git, trap }) => {
    git(root, "clone", "-q", "--bare", ".", "common");
    git(join(root, "common"), "config", "core.fsmonitor", trap);
    git(join(root, "common"), "config", "core.bare", "false");
    put(join(root, ".git/commondir"), "../common\n");
  },
  "folder elsewhere": ({ root, git, trap }) => {
    renameSync(join(root, ".git"), join(root, "elsewhere"));
    git(root, "--git-dir=elsewhere", "config", "core.fsmonitor", trap);
    put(join(root, ".git"), "gitdir: elsewhere\n");
  },
  "bare repository in a folder": (place) => void bare(place),
  "inside a bare repository": (place) => {
    const cwd = join(bare(place), "src");
    mkdirSync(cwd);
    return cwd;
  },
  submodule: (place) => submodule(place),
  "submodule in the index only": (place) => {
    submodule(place);
    rmSync(join(place.root, ".gitmodules"));
  },
  "promisor remote": (place) => promisor(place, "1"),
  "promisor remote in the old format": (place) => promisor(place, "0"),
};

/** The names of all places. */
export const PLACES = Object.keys(KINDS);

/** Creates a place in a folder; `restore` undoes all changes to it. */
export function makePlace(kind, base) {
  const folder = join(base, "places", kind.replaceAll(" ", "-"));
  const [root, temporary, kept] = [join(folder, "project"), join(folder, "tmp"), join(folder, "kept")];
  mkdirSync(temporary, { recursive: true });
  mkdirSync(join(folder, "outside"));
  put(join(folder, "outside/secret.txt"), "secret\n");
  put(join(root, "a.txt"), "a\nb\n");
  put(join(root, "sub/b.txt"), "b\nc\n");
  put(join(root, "a b"), "text\n");
  put(join(root, "--output=new.txt"), "");
  symlinkSync("a.txt", join(root, "link"));
  symlinkSync("../outside", join(root, "way-out"));
  const trap = join(root, "trap");
  put(trap, TRAP, 0o755);
  // Files with the names of programs, in case a command makes the shell search here.
  for (const name of ["ls", "cat", "git", "whoami"]) put(join(root, "5", name), TRAP, 0o755);
  const git = (cwd, ...args) =>
    execFileSync(
      "git",
      ["-C", cwd, "-c", "user.name=x", "-c", "user.email=x@x", "-c", "protocol.file.allow=always", ...args],
      {
        env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" },
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
  git(root, "init", "-q", "-b", "main");
  git(root, "add", "-A");
  git(root, "commit", "-qm", "first");
  put(join(root, "a.txt"), "a\nb\nc\n");
  git(root, "commit", "-qam", "second");
  put(join(root, "sub/b.txt"), "b\nd\n");
  const cwd =
    KINDS[kind]({ root, git, trap, config: (...args) => void git(root, "config", ...args) }) ?? root;
  const copying = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };
  cpSync(root, kept, copying);
  const restore = () => {
    // The folders themselves are kept.
    for (const each of [root, temporary])
      for (const name of readdirSync(each)) rmSync(join(each, name), { recursive: true, force: true });
    cpSync(kept, root, copying);
  };
  restore();
  return { kind, root, cwd, temporary, restore };
}

function bare({ root, git, trap }) {
  const folder = join(root, "pkg");
  mkdirSync(folder);
  git(folder, "init", "-q", "--bare");
  for (const [key, value] of [
    ["core.fsmonitor", trap],
    ["core.bare", "false"],
    ["core.worktree", folder],
  ])
    git(folder, "config", key, value);
  return folder;
}

function submodule({ root, git, trap }) {
  const folder = join(root, "lib");
  mkdirSync(folder);
  git(folder, "init", "-q");
  put(join(folder, "c.txt"), "c\n");
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "sub");
  put(join(root, ".gitmodules"), '[submodule "lib"]\n\tpath = lib\n\turl = ./lib\n\tignore = none\n');
  git(root, "add", ".gitmodules", "lib");
  git(root, "commit", "-qm", "with a submodule");
  git(folder, "config", "core.fsmonitor", trap);
  put(join(folder, "c.txt"), "d\n");
}

function promisor({ root, git, config, trap }, format) {
  const blob = git(root, "rev-parse", "HEAD:a.txt").trim();
  config("core.repositoryFormatVersion", format);
  if (format === "1") config("extensions.partialClone", "origin");
  config("remote.origin.url", join(root, "../outside"));
  config("remote.origin.promisor", "true");
  config("remote.origin.uploadpack", trap);
  rmSync(join(root, ".git/objects", blob.slice(0, 2), blob.slice(2)), { force: true });
}

function put(path, text, mode = 0o644) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
}
