import { HostError } from "../errors.ts";

// A rule is `Skill(name)` in a comma-separated list: a name must not contain characters that would end or widen the rule.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters.
const FORBIDDEN = /[(),\u0000-\u001f\u007f-\u009f]/;

/** The permission rules that let the model use the skills of the `skills` option. */
export function skillRules(skills: readonly string[] | "all" | undefined): readonly string[] {
  if (skills === undefined) return [];
  if (skills === "all") return ["Skill"];
  return skills.map((name) => {
    const fault = faultOf(name);
    if (fault) throw new HostError("invalid_option", `skills: ${JSON.stringify(name)} ${fault}`);
    return `Skill(${name})`;
  });
}

function faultOf(name: unknown): string | undefined {
  if (typeof name !== "string" || name.trim() === "") return "is not the name of a skill";
  if (name !== name.trim()) return "has leading or trailing space";
  if (/\p{Surrogate}/u.test(name)) return "contains half a surrogate pair, which a command line can't carry";
  if (FORBIDDEN.test(name)) return "contains a parenthesis, a comma or a control character";
  if (name === "*") return "is not a name: for all skills, use skills: 'all'";
  if (name.endsWith(":*") || name.endsWith(" *")) return "is a pattern: list each skill by its name";
  if (name.startsWith("/")) return "starts with a slash: give the name of the skill, not the command";
  if (name.includes("\\\\") || name.endsWith("\\")) return "has a backslash that a rule would drop";
  return undefined;
}
