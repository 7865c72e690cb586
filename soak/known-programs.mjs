import { spawnSync } from "node:child_process";

/** Git subcommands that agents use to show something. */
const USUAL = new Set(
  "status log show diff diff-tree shortlog rev-list blame describe rev-parse ls-files ls-tree cat-file merge-base name-rev show-ref for-each-ref branch tag remote stash worktree grep reflog annotate whatchanged".split(
    " ",
  ),
);

/** The programs from which commands are generated, with the options in their usage on this machine and those that the agent knows. */
export function knownPrograms(readers) {
  const git = output("git", ["--list-cmds=builtins"])
    .split("\n")
    .filter(Boolean)
    .map((name) => ({ name, options: gitOptions(name) }));
  return {
    readers: [...readers].map(([name, { options }]) => ({
      name,
      options: [...new Set([...listed(options), ...helpOptions(name)])],
    })),
    git,
    usual: git.filter(({ name }) => USUAL.has(name)),
  };
}

/** The options that git would complete, and those in its usage. */
function gitOptions(name) {
  const offered = output("git", [name, "--git-completion-helper-all"])
    .split(/\s+/)
    .filter((word) => /^--[a-z]/.test(word));
  return [...new Set([...offered, ...optionsIn(output("git", [name, "-h"]))])];
}

const helpOptions = (name) => optionsIn(output(name, ["--help"]));

/** Options in a usage text. */
function optionsIn(text) {
  return [...text.matchAll(/(?<![\w-])(--[a-z][\w-]+(?:\[?=)?|-[A-Za-z0-9](?![\w-]))/g)].map(([, option]) =>
    option.replace("[=", "="),
  );
}

/** Options in the agent's list. */
function listed({ flags = "", valued = "", attached = "", long = "" }) {
  return [
    ...[...flags, ...valued, ...attached].map((letter) => `-${letter}`),
    ...long
      .split(/\s+/)
      .filter(Boolean)
      .map((name) => `--${name.replace("[=]", "=")}`),
  ];
}

function output(program, args) {
  const { stdout, stderr } = spawnSync(program, args, {
    encoding: "utf8",
    timeout: 10_000,
    cwd: "/",
    input: "",
  });
  return `${stdout ?? ""}\n${stderr ?? ""}`;
}
