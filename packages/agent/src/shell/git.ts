import type { Access } from "./access.ts";
import { type OptionList, readOptions } from "./options.ts";

/** A read-only subcommand of git. */
interface Showing {
  readonly options: OptionList;
  /** Whether it shows the contents of files, current or past. */
  readonly contents?: (given: ReadonlySet<string>) => boolean;
  /** Whether it must have no operands: with one it would create, rename or delete something. */
  readonly isBare?: true;
}

const DIFF: OptionList = {
  flags: "puRabwzsW",
  attached: "UMCBDlXGS",
  long: `patch no-patch raw patch-with-raw patch-with-stat minimal patience histogram stat[=] numstat shortstat summary compact-summary
    dirstat[=] cumulative name-only name-status no-renames full-index binary check find-copies-harder pickaxe-all pickaxe-regex text
    ignore-cr-at-eol ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines function-context no-ext-diff
    no-textconv color[=] no-color color-moved[=] no-color-moved word-diff[=] word-diff-regex= color-words[=] irreversible-delete
    no-prefix default-prefix cached staged merge-base exit-code quiet unified= diff-algorithm= stat-width= stat-count= find-renames[=]
    find-copies[=] break-rewrites[=] diff-filter= inter-hunk-context= src-prefix= dst-prefix= line-prefix= abbrev[=] anchored=
    ws-error-highlight= relative[=] no-relative ignore-submodules[=]`,
};
const LOG: OptionList = {
  flags: `${DIFF.flags}giEFPqcmt`,
  valued: "nL",
  attached: DIFF.attached ?? "",
  numbers: true,
  long: `${DIFF.long} oneline graph no-graph all merges no-merges first-parent reverse follow decorate[=] no-decorate source
    abbrev-commit no-abbrev-commit parents children left-right left-only right-only cherry cherry-mark cherry-pick boundary topo-order
    date-order author-date-order walk-reflogs simplify-by-decoration simplify-merges full-history dense sparse ancestry-path[=]
    extended-regexp fixed-strings perl-regexp basic-regexp regexp-ignore-case invert-grep all-match log-size use-mailmap mailmap
    no-use-mailmap no-mailmap relative-date notes no-notes full-diff count max-count= skip= since= after= until= before= author=
    committer= grep= grep-reflog= pretty[=] format= date= min-parents= max-parents= branches[=] tags[=] remotes[=] glob= exclude=
    encoding= no-walk[=] decorate-refs= decorate-refs-exclude= no-expand-tabs diff-merges= no-diff-merges dd cc remerge-diff`,
};
const PATCHES = [
  "p",
  "u",
  "U",
  "patch",
  "unified",
  "patch-with-raw",
  "patch-with-stat",
  "L",
  "G",
  "S",
  "c",
  "m",
  "cc",
  "dd",
];
const showsPatch = (given: ReadonlySet<string>) =>
  [...PATCHES, "word-diff", "color-words", "binary", "remerge-diff", "W", "function-context"].some((name) =>
    given.has(name),
  );
const always = () => true;

const SHOWING: ReadonlyMap<string, Showing> = new Map<string, Showing>([
  [
    "status",
    {
      options: {
        flags: "sbvz",
        attached: "u",
        long: `short branch porcelain[=] long verbose untracked-files[=] ignored[=] ahead-behind no-ahead-behind renames no-renames
          column[=] no-column show-stash find-renames[=] ignore-submodules[=] null`,
      },
      contents: (given) => given.has("v") || given.has("verbose"),
    },
  ],
  ["log", { options: LOG, contents: showsPatch }],
  ["show", { options: LOG, contents: always }],
  ["diff", { options: { ...DIFF, numbers: true }, contents: always }],
  ["diff-tree", { options: { ...LOG, flags: `${LOG.flags}rv` }, contents: always }],
  [
    "shortlog",
    {
      options: { ...LOG, flags: `${LOG.flags}nse`, valued: "L", attached: `${LOG.attached}w` },
      contents: showsPatch,
    },
  ],
  ["rev-list", { options: LOG }],
  [
    "blame",
    {
      options: {
        flags: "bclstfnewpk",
        valued: "L",
        attached: "CM",
        long: `root show-stats show-name show-number show-email line-porcelain porcelain incremental progress no-progress color-lines
          color-by-age minimal since= abbrev= date=`,
      },
      contents: always,
    },
  ],
  [
    "describe",
    {
      options: {
        long: "all tags long always exact-match contains first-parent abbrev= match= exclude= candidates=",
      },
    },
  ],
  [
    "rev-parse",
    {
      options: {
        flags: "q",
        long: `abbrev-ref[=] show-toplevel git-dir verify short[=] symbolic symbolic-full-name is-inside-work-tree is-inside-git-dir
          is-bare-repository is-shallow-repository show-prefix show-cdup show-superproject-working-tree absolute-git-dir git-common-dir
          all branches[=] tags[=] remotes[=] quiet git-path=`,
      },
    },
  ],
  [
    "ls-files",
    {
      options: {
        flags: "cdmostuvkz",
        valued: "x",
        long: `cached deleted modified others ignored stage unmerged killed exclude-standard full-name error-unmatch eol directory
          no-empty-directory deduplicate exclude= abbrev[=]`,
      },
    },
  ],
  [
    "ls-tree",
    {
      options: {
        flags: "drtlz",
        long: "name-only name-status full-name full-tree long object-only abbrev[=] format=",
      },
    },
  ],
  [
    "cat-file",
    {
      options: { flags: "tsep" },
      contents: (given) => !given.has("t") && !given.has("s") && !given.has("e"),
    },
  ],
  ["merge-base", { options: { flags: "a", long: "all octopus is-ancestor independent fork-point" } }],
  ["name-rev", { options: { long: "tags all name-only always undefined no-undefined refs= exclude=" } }],
  [
    "show-ref",
    {
      options: { flags: "sdhq", long: "head heads tags branches hash[=] verify quiet dereference abbrev[=]" },
    },
  ],
  [
    "for-each-ref",
    {
      options: {
        long: "count= sort= format= points-to= contains[=] no-contains[=] merged[=] no-merged[=] ignore-case",
      },
    },
  ],
  [
    "branch",
    {
      options: {
        flags: "arv",
        long: "all remotes list show-current no-color color[=] verbose sort= contains= no-contains= merged= no-merged= format=",
      },
      isBare: true,
    },
  ],
  [
    "tag",
    { options: { flags: "l", attached: "n", long: "list sort= contains= merged= no-merged=" }, isBare: true },
  ],
  ["remote", { options: { flags: "v", long: "verbose" }, isBare: true }],
]);

// Paths outside the repository.
const LEAVES_REPOSITORY = /^[/~]|(?:^|\/|:)\.\.(?:\/|$)/;
// Placeholders that make git start gpg.
const VERIFIES = /%G|%\(signature/;

/**
 * What a read-only call of git reads; undefined if it may do more. The subcommand must come first: options before it can run
 * programs.
 */
export function gitAccesses([subcommand = "", ...args]: readonly string[]): readonly Access[] | undefined {
  const only = args.join(" ");
  if (
    (subcommand === "stash" && only === "list") ||
    (subcommand === "worktree" && /^list(?: --porcelain)?$/.test(only))
  )
    return [];
  const showing = SHOWING.get(subcommand);
  const read = showing && readOptions(args, showing.options);
  if (!read || (showing.isBare && read.operands.length > 0)) return undefined;
  const words = [...read.operands, ...read.values];
  if (words.some((word) => LEAVES_REPOSITORY.test(word) || VERIFIES.test(word))) return undefined;
  const named = read.operands.flatMap(namedPaths).map((path): Access => ({ kind: "read", path }));
  if (!showing.contents?.(read.given)) return named;
  // Paths after `--` limit what is shown; `blame` shows only the files it names.
  const paths = subcommand === "blame" ? read.operands : read.afterDashes;
  const shown = paths.length > 0 ? paths : ["."];
  return [...named, ...shown.map((path): Access => ({ kind: "read", path, below: "history" }))];
}

/** The paths that an operand may name: a revision, a path, or a path in a revision. */
function namedPaths(operand: string): readonly string[] {
  const colon = operand.indexOf(":");
  const path = colon < 0 ? operand : operand.slice(colon + 1);
  return path === "" ? [] : [path];
}
