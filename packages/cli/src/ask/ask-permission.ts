import type { Question } from "@agentwire/api";
import { printRule, suggestRule } from "@agentwire/protocol/permission";
import { writeFresh } from "../output.ts";
import { plain } from "../render/plain.ts";
import { printDeadline } from "../render/question-line.ts";
import type { Style } from "../render/style.ts";
import { inputOf, printWholeCall } from "../render/tool-call.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { allowAlways, allowForSession, allowOnce, type Decision, deny } from "./answer.ts";

const KEYS = ["y", "s", "a", "n", "d", "x"];
const LABEL = "Allow?  y once  s session  a always  n no  d no, because…  x no, and stop: ";

/** Asks a person at a terminal whether a tool may run; undefined if the signal fires first. */
export async function askPermission(
  terminal: Terminal,
  question: Question,
  rule: string,
  style: Style,
  signal: AbortSignal,
): Promise<Decision | undefined> {
  writeFresh(terminal.screen, describe(question, style));
  for (;;) {
    const key = await terminal.key(LABEL, KEYS, signal);
    switch (key) {
      case "y":
        return allowOnce();
      case "n":
        return deny("");
      case "x":
        return deny("", true);
      case "d": {
        const reason = await text(terminal, "Because: ", "", signal);
        if (reason !== undefined) return deny(reason);
        break;
      }
      case "s": {
        const kept = await text(terminal, "Allow until the session ends: ", rule, signal);
        if (kept) return allowForSession(kept);
        break;
      }
      case "a": {
        const kept = await text(terminal, "Always allow in this project: ", rule, signal);
        if (kept) return allowAlways(kept, "project");
        break;
      }
      default:
        return undefined;
    }
    if (signal.aborted) return undefined;
  }
}

/** A line, or undefined if they would rather choose again. */
async function text(
  terminal: Terminal,
  label: string,
  given: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const answer = await terminal.line({ label, text: given }, signal);
  return answer.type === "line" ? answer.text.trim() : undefined;
}

function describe(question: Question, { dim, yellow }: Style): string {
  const { toolName, inputJson, reason, blockedPath } = question;
  const call = printWholeCall(toolName, inputJson);
  const notes = [
    call.includes(plain(reason)) ? "" : plain(reason),
    blockedPath === "" ? "" : `about ${plain(blockedPath)}`,
    printDeadline(question, Date.now()),
  ];
  const lines = [...call.split("\n"), ...notes.filter((note) => note !== "").map(dim)];
  return lines.map((line) => `${yellow("│")} ${line}\n`).join("");
}

/** The rule to propose for calls like this one: the agent's suggestion, else ours; empty where any would allow too much. */
export function proposeRule(
  {
    toolName,
    inputJson,
    suggestedRules: [suggested],
  }: Pick<Question, "toolName" | "inputJson" | "suggestedRules">,
  cwd: string,
  home: string,
): string {
  if (suggested !== undefined) return suggested;
  const rule = suggestRule({ toolName, input: inputOf(inputJson) }, { cwd, home });
  return rule === undefined ? "" : printRule(rule);
}
