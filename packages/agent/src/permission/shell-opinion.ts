import type { Judgement } from "@agentwire/protocol";
import type { LocatedCall, LocatedPart } from "./call.ts";
import { isAllowedByRule } from "./judge-call.ts";
import { allowed, allowedByMode, asksOutside, type Conditions, type Opinion } from "./opinion.ts";

/** What becomes of a shell command that rules alone don't allow: each part of it may still be harmless by itself. */
export function shellOpinion({ parts = [] }: LocatedCall, said: Judgement, conditions: Conditions): Opinion {
  const uncovered = parts.filter(({ source }) => said.uncovered.includes(source));
  const open = uncovered.filter((part) => !isHarmless(part, conditions));
  if (uncovered.length > 0 && open.length === 0) {
    if (uncovered.some(({ does }) => does === "edit")) return allowedByMode(conditions.mode);
    return allowed("config", parts.length > 1 ? "subcommandResults" : "other", "the command only reads");
  }
  const accesses = open.flatMap((part) => part.accesses);
  const written = accesses.find(({ kind }) => kind === "write");
  if (written?.inside) return { behavior: "ask", blocked: written, open };
  const outside = written ?? accesses.find(({ inside }) => !inside);
  if (outside) return asksOutside(outside, open);
  return { behavior: "ask", reasonType: parts.length > 1 ? "subcommandResults" : undefined, open };
}

function isHarmless({ does, accesses }: LocatedPart, conditions: Conditions): boolean {
  if (does === "other" || (does === "edit" && conditions.mode !== "acceptEdits")) return false;
  return accesses.every((access) => access.inside || isAllowedByRule(access, conditions));
}
