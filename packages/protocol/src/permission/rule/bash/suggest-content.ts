import { literalValue } from "../../../shell/marks.ts";
import type { ShellPart } from "../../../shell/part.ts";
import { readShell } from "../../../shell/read-shell.ts";
import { coversPart, layersOf } from "./covers-part.ts";
import { nameSet } from "./name-set.ts";
import { isExact, parseBashPattern } from "./pattern.ts";

// Programs that only read, compile or test, whatever their arguments.
const PLAIN_PROGRAMS = nameSet(
  "ls cat head tail wc grep du df stat file diff jq cut tr basename dirname realpath pwd which whoami uname",
  "tsc vitest jest pytest mypy",
);

// Programs whose second word says what they do; with these verbs they neither run their arguments nor destroy
// or publish anything.
const HARMLESS_VERBS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    "git",
    nameSet(
      "add blame branch checkout cherry-pick commit describe diff fetch log ls-files merge pull restore rev-parse show",
      "stash status switch tag",
    ),
  ],
  ["npm", nameSet("audit ci i install list ls outdated test view")],
  ["pnpm", nameSet("add audit i install list ls outdated test why")],
  ["yarn", nameSet("add audit install list outdated test why")],
  ["bun", nameSet("add install test")],
  ["cargo", nameSet("build check clippy doc fmt test tree")],
  ["go", nameSet("build fmt list test version vet")],
  ["docker", nameSet("build images inspect logs ps")],
  ["kubectl", nameSet("describe get logs top")],
  ["gh", nameSet("issue pr release")],
  ["dotnet", nameSet("build format restore test")],
  ["pip", nameSet("check freeze install list show")],
  ["poetry", nameSet("check install lock show")],
  ["uv", nameSet("lock sync tree")],
  ["terraform", nameSet("fmt plan validate")],
  ["helm", nameSet("lint list status template")],
  ["mvn", nameSet("compile package test verify")],
  ["gradle", nameSet("build check test")],
  ["bundle", nameSet("check install list")],
  ["composer", nameSet("install show validate")],
  ["swift", nameSet("build test")],
  ["brew", nameSet("info list search")],
  ["systemctl", nameSet("list-units show status")],
]);
const SCRIPT_RUNNERS = nameSet("npm pnpm yarn bun");
const SCRIPT = /^[a-z][\w:.-]*$/;

/**
 * The content of a rule that would allow a command in the future: a prefix if the command stays harmless with
 * other arguments, otherwise the command itself; undefined if no rule would mean exactly that.
 */
export function suggestBashContent(command: string): string | undefined {
  const reading = readShell(command);
  const [part, ...others] = reading.ok ? reading.parts : [];
  const prefix = part && others.length === 0 ? safePrefix(part) : undefined;
  if (part && prefix !== undefined && coversPart(parseBashPattern(prefix), layersOf(part))) return prefix;
  // A star in a command is the shell's; in a rule it would allow more.
  return isExact(parseBashPattern(command)) ? command : undefined;
}

function safePrefix({ words }: ShellPart): string | undefined {
  const [program = "", verb = "", script = ""] = words.map(({ text }) => literalValue(text));
  if (PLAIN_PROGRAMS.has(program)) return `${program} *`;
  if (SCRIPT_RUNNERS.has(program) && verb === "run" && SCRIPT.test(script))
    return `${program} run ${script} *`;
  return HARMLESS_VERBS.get(program)?.has(verb) ? `${program} ${verb} *` : undefined;
}
