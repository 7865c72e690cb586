import { judge, parseRule } from "@agentwire/protocol/permission";

/** A redirection to or from a file, or a command substitution: what such a command does can't be seen from its words. */
const REDIRECTS = /[<>`]|\$\(/;
const DESCRIPTOR = /\d?>&\d/g;
const CHANGES_FOLDER = /(?:^|[\s;&|(])(?:cd|pushd|popd)(?:[\s;&|)]|$)/;

/** Whether settings exclude a command from the sandbox: every part of it must match one of the patterns. */
export function isExcluded(command: string, patterns: readonly string[], cwd: string): boolean {
  if (patterns.length === 0) return false;
  if (REDIRECTS.test(command.replace(DESCRIPTOR, "")) || CHANGES_FOLDER.test(command)) return false;
  const rules = patterns.flatMap((pattern) => {
    const reading = parseRule(`Bash(${pattern})`);
    return reading.ok ? [{ behavior: "allow" as const, rule: reading.rule, source: "sandbox" }] : [];
  });
  return judge({ toolName: "Bash", input: { command } }, rules, { cwd }).behavior === "allow";
}
