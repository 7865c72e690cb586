import type { Access } from "./access.ts";

// Tests and actions that only print or compare, with their number of arguments. Options such as `-L` are left out: they follow
// links.
const WORDS: ReadonlyMap<string, 0 | 1> = new Map<string, 0 | 1>([
  ...words(
    "-a -and -o -or -not ! ( ) , -true -false -empty -readable -writable -executable -nouser -nogroup -print -print0 -ls -prune",
    "-quit -depth -d -daystart -mount -xdev -noleaf -warn -nowarn -ignore_readdir_race -noignore_readdir_race",
  ).map((word): [string, 0] => [word, 0]),
  ...words(
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -lname -ilname -type -xtype -size -perm -user -group",
    "-uid -gid -links -inum -maxdepth -mindepth -mtime -atime -ctime -mmin -amin -cmin -newermt -used -fstype -printf",
  ).map((word): [string, 1] => [word, 1]),
]);
// Tests that compare with a file, whose name is the next argument.
const COMPARING: ReadonlySet<string> = new Set(["-newer", "-anewer", "-cnewer", "-samefile"]);

function words(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(" "));
}

/** The folders that a call of `find` searches; undefined if it does more than print names. */
export function findAccesses(args: readonly string[]): readonly Access[] | undefined {
  const from = args[0] === "-P" ? 1 : 0;
  const first = args.findIndex(
    (arg, at) => at >= from && (arg.startsWith("-") || arg === "(" || arg === "!"),
  );
  const start = first < 0 ? args.length : first;
  const paths = [...args.slice(from, start)];
  for (let at = start; at < args.length; at++) {
    const word = args[at] ?? "";
    const count = WORDS.get(word);
    if (COMPARING.has(word)) paths.push(args[++at] ?? "");
    else if (count === undefined) return undefined;
    else at += count;
  }
  return paths.map((path) => ({ kind: "read", path }));
}
