import type { Judgement } from "@agentwire/protocol/permission";
import { isInside } from "../files/real-path.ts";
import type { LocatedCall, LocatedPart } from "./call.ts";
import { allowed, type Conditions, type Evaluation } from "./evaluation.ts";
import { isAllowedByRule } from "./judge-call.ts";

/** Evaluates a shell command that rules alone don't allow: each of its parts may still be harmless. */
export function evaluateShell(
  { parts = [] }: LocatedCall,
  judgement: Judgement,
  conditions: Conditions,
  staysInside: boolean,
): Evaluation {
  const uncovered = parts.filter(({ source }) => judgement.uncovered.includes(source));
  const open = uncovered.filter((part) => !isHarmless(part, conditions));
  if (uncovered.length > 0 && open.length === 0) {
    const edits = uncovered.some(({ does }) => does === "edit");
    const reason = edits ? `allowed by the mode ${conditions.mode}` : "the command only reads";
    const isQuiet = uncovered.some(({ isGit }) => isGit);
    return { ...allowed("config", "subcommandResults", reason), ...(isQuiet && { quietGit: true }) };
  }
  const grave = open.find((part) => removesTooMuch(part, conditions));
  if (grave) {
    const reason = `${grave.source} removes the project or more`;
    return { behavior: "ask", reasonType: "safetyCheck", reason, isGrave: true };
  }
  if (staysInside) return { ...allowed("config", "other", "it runs in the sandbox"), sandboxed: true };
  const accesses = open.flatMap((part) => part.accesses);
  const blocked = accesses.find(({ kind }) => kind === "write") ?? accesses.find(({ inside }) => !inside);
  if (blocked) return { behavior: "ask", blocked, open };
  if (parts.length > 1) return { behavior: "ask", reasonType: "subcommandResults", open };
  return { behavior: "ask", reasonType: "other", reason: "no rule allows this command", open };
}

/** Whether a part removes the project folder, one of its parents, or the home folder. */
function removesTooMuch({ source, accesses }: LocatedPart, { cwd, home }: Conditions): boolean {
  if (!/^\s*rm\s/.test(source)) return false;
  if (/\s(?:~|\$HOME|\/\*)\/?(?:\s|$)/.test(source)) return true;
  return accesses.some(({ path, real }) =>
    [path, ...real].some((one) => isInside(cwd, one) || isInside(home, one)),
  );
}

function isHarmless({ does, accesses }: LocatedPart, conditions: Conditions): boolean {
  if (does === "other" || (does === "edit" && conditions.mode !== "acceptEdits")) return false;
  return accesses.every((access) => access.inside || isAllowedByRule(access, conditions));
}
