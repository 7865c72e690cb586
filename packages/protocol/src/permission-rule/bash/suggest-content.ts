import { literalValue } from "../shell/marks.ts";
import type { ShellPart } from "../shell/part.ts";
import { readShell } from "../shell/read-shell.ts";
import { coversPart, layersOf } from "./covers-part.ts";
import { nameSet } from "./name-set.ts";
import { isExact, parseBashPattern } from "./pattern.ts";

// Whatever their arguments, they read, compile or test.
const PLAIN_PROGRAMS = nameSet(
  "ls cat head tail wc grep du df stat file diff jq cut tr basename dirname realpath pwd which whoami uname",
  "tsc vitest jest pytest mypy",
);

// What they do is said by the second word.
const MULTIPLEXERS = nameSet(
  "git npm pnpm yarn bun cargo go docker kubectl gh dotnet pip poetry uv terraform helm mvn gradle bundle",
  "composer swift deno brew systemctl",
);
const SCRIPT_RUNNERS = nameSet("npm pnpm yarn bun");

// They run what their arguments say, or destroy or publish it.
const GRAVE_VERBS = nameSet(
  "run exec x dlx eval repl config alias api push clean reset rm rmi delete destroy apply publish uninstall",
  "prune filter-branch submodule bisect rebase",
);
const VERB = /^[a-z][\w:.-]*$/;

/**
 * The content of a rule that would allow a command from now on: a prefix for a command that stays harmless with other
 * arguments, the command itself otherwise, undefined when no rule would mean just that.
 */
export function suggestBashContent(command: string): string | undefined {
  const reading = readShell(command);
  const [part, ...others] = reading.ok ? reading.parts : [];
  const prefix = part && others.length === 0 ? safePrefix(part) : undefined;
  if (part && prefix !== undefined && coversPart(parseBashPattern(prefix), layersOf(part))) return prefix;
  // A star in a command is one of the shell's; in a rule it would allow more.
  return isExact(parseBashPattern(command)) ? command : undefined;
}

function safePrefix({ words }: ShellPart): string | undefined {
  const [program = "", verb = "", script = ""] = words.map(({ text }) => literalValue(text));
  if (PLAIN_PROGRAMS.has(program)) return `${program} *`;
  if (!MULTIPLEXERS.has(program) || !VERB.test(verb)) return undefined;
  if (SCRIPT_RUNNERS.has(program) && verb === "run" && VERB.test(script)) return `${program} run ${script} *`;
  return GRAVE_VERBS.has(verb) ? undefined : `${program} ${verb} *`;
}
