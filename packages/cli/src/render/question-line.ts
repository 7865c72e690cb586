import {
  Disposition,
  type Elicitation,
  type PermissionDecided,
  type Question,
  type QuestionAnswered,
} from "@agentwire/api";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { oneLine, plain } from "./plain.ts";
import { printSpan } from "./time.ts";
import { printCall } from "./tool-call.ts";

/** The beginning of an id, enough to tell it from others; commands accept it too. */
export const shortId = (id: string): string => id.slice(0, 8);

/** A question in one line. */
export function printQuestion({ id, toolName, inputJson, userQuestions, elicitation }: Question): string {
  const about = elicitation
    ? printElicitation(elicitation)
    : userQuestions.length > 0
      ? `asks you: ${oneLine(userQuestions.map(({ question }) => question).join(" / "), 120)}`
      : printCall(toolName, inputJson);
  return `${about} (question ${shortId(id)})`;
}

/** The request of an MCP server or agent to the user, in one line. */
export function printElicitation({ server, message, url }: Elicitation): string {
  const page = url === "" ? "" : ` ${plain(url)}`;
  return `${oneLine(server, 40) || "the agent"} asks you: ${oneLine(message, 200)}${page}`;
}

const ENDINGS: ReadonlyMap<Disposition, string> = new Map([
  [Disposition.ALLOWED, "allowed"],
  [Disposition.DENIED, "denied"],
  [Disposition.TIMED_OUT, "not answered in time, so denied"],
  [Disposition.ABORTED, "withdrawn"],
  [Disposition.SUPERSEDED, "asked again"],
  [Disposition.ORPHANED, "orphaned: the agent that asked is gone"],
]);

/** The time left to answer; empty without a deadline. */
export function printDeadline({ expiresAt }: Question, now: number): string {
  if (!expiresAt) return "";
  const left = timestampMs(expiresAt) - now;
  return left > 0
    ? `denied in ${printSpan(left)} unless someone answers`
    : "about to be denied: no answer yet";
}

/** How a question ended, in words. */
export const printDisposition = (disposition: Disposition): string => ENDINGS.get(disposition) ?? "open";

/** How a question ended, and who ended it. */
export function printDecision(decided: PermissionDecided | QuestionAnswered): string {
  const { disposition, decidedBy } = decided;
  if ("answers" in decided && disposition === Disposition.ALLOWED)
    return `answered by ${plain(decidedBy)}: ${oneLine(Object.values(decided.answers).join("; "), 200)}`;
  const rule = "rule" in decided && decided.rule !== "" ? plain(decided.rule) : "";
  const message =
    "message" in decided && decided.message !== "" && !decided.message.startsWith(decidedBy)
      ? `: ${oneLine(decided.message, 200)}`
      : "";
  const byRule = decidedBy === "rule" ? ` by the rule ${rule}` : ` by ${plain(decidedBy)}`;
  const isPersons = disposition === Disposition.ALLOWED || disposition === Disposition.DENIED;
  const kept = rule !== "" && decidedBy !== "rule" ? ` and from now on ${rule}` : "";
  return `${printDisposition(disposition)}${isPersons ? byRule : ""}${kept}${message}`;
}
