import { judge, parseRule } from "@agentwire/protocol/permission";

/** A redirection other than that of one descriptor to another, or a command in a command: what it does is not what its words say. */
const REDIRECTS = /[<>`]|\$\(/;
const DESCRIPTOR = /\d?>&\d/g;
const CHANGES_FOLDER = /(?:^|[\s;&|(])(?:cd|pushd|popd)(?:[\s;&|)]|$)/;

/** Whether settings take a command out of the sandbox: every command in it has to match one of the patterns. */
export function isExcluded(command: string, patterns: readonly string[], cwd: string): boolean {
  if (patterns.length === 0) return false;
  if (REDIRECTS.test(command.replace(DESCRIPTOR, "")) || CHANGES_FOLDER.test(command)) return false;
  const rules = patterns.flatMap((pattern) => {
    const reading = parseRule(`Bash(${pattern})`);
    return reading.ok ? [{ behavior: "allow" as const, rule: reading.rule, source: "sandbox" }] : [];
  });
  return judge({ toolName: "Bash", input: { command } }, rules, { cwd }).behavior === "allow";
}
