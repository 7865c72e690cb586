import {
  literalValue,
  MARK,
  type Redirect,
  readShell,
  type ShellPart,
  withoutMarks,
} from "@agentwire/protocol/shell";
import { gitAccesses } from "../../shell/git.ts";

type Args = readonly string[];

// Programs that neither write nor run anything, whatever their arguments.
const HARMLESS = new Set(
  (
    "ls cat head tail wc pwd echo true false grep egrep fgrep cut tr nl tac rev od strings stat du df basename dirname " +
    "realpath readlink diff cmp comm paste join fold expand unexpand column seq md5sum sha1sum sha256sum sha512sum cksum " +
    "whoami id groups uname arch nproc uptime free which jq"
  ).split(" "),
);

// Programs that write or run something only with one of these options.
const UNLESS_OPTION = new Map<string, RegExp>([
  ["find", /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/],
  ["rg", /^--(?:pre|hostname-bin)(?:=|$)/],
  ["sort", /^(?:-[^-]*[oT]|--o|--c|--t)/],
  ["file", /^(?:-[^-]*C|--c)/],
  ["tree", /^(?:-[^-]*[oR]|--o)/],
  ["printf", /^-/],
]);

// Programs that print their version and exit.
const TELLS_VERSION = new Set(
  "node npm npx pnpm yarn python python3 pip pip3 ruby go cargo rustc java git gcc make tsc".split(" "),
);

const CHECKS = new Map<string, (args: Args) => boolean>([
  ["git", (args) => gitAccesses(args) !== undefined],
  // It writes to a second file operand.
  ["uniq", (args) => args.filter((arg) => !arg.startsWith("-")).length <= 1],
  ["date", (args) => args.every((arg) => arg.startsWith("+") || arg === "-u" || /^-I[a-z]*$/.test(arg))],
  ["hostname", (args) => args.length === 0],
  ["command", (args) => args[0] === "-v" || args[0] === "-V"],
  ["type", () => true],
  // Its scripts can write and run commands; only the most common use, printing lines by number, is accepted.
  [
    "sed",
    (args) => args[0] === "-n" && /^\d+(?:,(?:\d+|\$))?p$/.test(args[1] ?? "") && args.slice(2).every(isFile),
  ],
]);

/** Whether a call of a program certainly changes nothing. Arguments may contain marks for shell expansions. */
function isReadOnlyCall(name: string, args: Args): boolean {
  if (HARMLESS.has(name)) return true;
  if (args.some(mayBecomeOption)) return false;
  const plain = args.map(withoutMarks);
  if (plain.length === 1 && plain[0] === "--version" && TELLS_VERSION.has(name)) return true;
  const harmful = UNLESS_OPTION.get(name);
  if (harmful) return !plain.some((arg) => harmful.test(arg));
  return CHECKS.get(name)?.(plain) ?? false;
}

// A file name that the shell inserts can look like an option, and an expansion can be anything.
function mayBecomeOption(arg: string): boolean {
  return (
    arg.includes(MARK.close) ||
    arg.startsWith(MARK.active) ||
    (arg.startsWith("-") && arg.includes(MARK.active))
  );
}

function isFile(arg: string): boolean {
  return !arg.startsWith("-");
}

/** Whether a command certainly changes nothing: every part of it must be known as read-only. */
export function isReadOnlyCommand(command: string): boolean {
  const reading = readShell(command);
  return reading.ok && reading.parts.length > 0 && reading.parts.every(isReadOnlyPart);
}

function isReadOnlyPart({ assignments, words, redirects }: ShellPart): boolean {
  // An assignment such as PATH=... or PAGER=... can make any program run another.
  if (assignments.length > 0 || !redirects.every(isPlainRead)) return false;
  const [program, ...args] = words.map(({ text }) => text);
  // A redirection of a loop or group has no words of its own.
  if (program === undefined) return redirects.length > 0;
  const name = literalValue(program);
  return name !== undefined && isReadOnlyCall(name, args);
}

// A name in /dev may be a network connection.
function isPlainRead({ access, target }: Redirect): boolean {
  const path = literalValue(target.text);
  return access === "read" && path !== undefined && !path.startsWith("/dev/");
}
