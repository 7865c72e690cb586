import type { DecideRequestSchema, Question } from "@agentwire/api";
import { printRule, suggestRule } from "@agentwire/protocol/permission";
import { parseJsonObject } from "@agentwire/protocol/support";
import { exactRule } from "@agentwire/view/text";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { writeFresh } from "../output.ts";
import { plain } from "../render/plain.ts";
import { printDeadline, shortId } from "../render/question-line.ts";
import type { Style } from "../render/style.ts";
import { printWholeCall } from "../render/tool-call.ts";
import type { Client } from "../talk/client.ts";
import { toCliError } from "../talk/rpc-error.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { askUser } from "./ask-user.ts";

/** The decision about a permission question, as the daemon accepts it. */
export type Decision = NonNullable<MessageInitShape<typeof DecideRequestSchema>["decision"]>;

/** Where an "always" rule is stored. */
export type Scope = "project" | "user";

export const allowOnce = (updatedInputJson = ""): Decision => ({
  case: "allow",
  value: { updatedInputJson },
});

export const allowForSession = (rule: string): Decision => ({
  case: "allow",
  value: { lasting: { case: "sessionRule", value: rule } },
});

export const allowAlways = (rule: string, scope: Scope): Decision => ({
  case: "allow",
  value: { lasting: { case: "always", value: { rule, scope } } },
});

export const deny = (message: string, stop = false): Decision => ({ case: "deny", value: { message, stop } });

/** Whom to ask, and where answers go. */
interface Desk {
  readonly client: Client;
  readonly terminal: Terminal;
  readonly style: Style;
  /** The rule to propose for a question. */
  readonly ruleFor: (question: Question) => string;
  /** Receives a sentence that was typed instead of a key. If missing, such a sentence becomes the reason for a denial. */
  readonly write?: (text: string) => void;
}

/** Asks a person one question and submits the answer; false if the question is still open because the answer was not accepted. */
export async function answerAtTerminal(
  desk: Desk,
  question: Question,
  signal: AbortSignal,
): Promise<boolean> {
  const { client, terminal, style } = desk;
  try {
    if (question.userQuestions.length > 0) {
      const answers = await askUser(terminal, question, style, signal);
      if (answers === "denied")
        await decide(client, question, { case: "deny", value: { message: DECLINED } });
      else if (answers) await client.questions.answer({ questionId: question.id, answers: { ...answers } });
      return true;
    }
    const decision = await askPermission(desk, question, signal);
    if (decision === "later") return false;
    if (decision) await decide(client, question, decision);
    return true;
  } catch (error) {
    const known = toCliError(error);
    if (!known) throw error;
    writeFresh(terminal.screen, `${style.red(`✗ ${known.message}`)}\n`);
    return false;
  }
}

const DECLINED = "The user declined to answer.";

async function decide({ questions }: Client, { id }: Question, decision: Decision): Promise<void> {
  await questions.decide({ questionId: id, decision });
}

/** Denies a question because there is no terminal; returns a text on how to allow such calls. */
export async function denyUnasked(client: Client, question: Question, rule: string): Promise<string> {
  const isForUser = question.userQuestions.length > 0;
  await client.questions.decide({
    questionId: question.id,
    decision: deny(
      isForUser ? "No terminal is available to answer. Decide yourself, or say what you need." : NOBODY,
    ),
  });
  if (isForUser) return "no terminal is available to answer; the agent was told so";
  return `denied, because no terminal is available to ask${await wayToAllow(client, question, rule)}`;
}

/** How calls like this one can be allowed; an allow rule does not answer every question (`daemon/session/gate.ts`). */
async function wayToAllow({ sessions }: Client, question: Question, rule: string): Promise<string> {
  const { sessionId, reasonType, toolName } = question;
  if (reasonType === "safetyCheck")
    return ` and a safety check leaves it to a person; to answer it, run this at a terminal, or continue there: agentwire --resume ${shortId(sessionId)}`;
  const { session } = reasonType === "mode" ? await sessions.getSession({ sessionId }) : {};
  if (session?.permissionMode === "plan")
    return " and no rule allows changes in plan mode; to allow it: --mode acceptEdits";
  return `; to allow it: agentwire rules allow ${quoted(rule === "" ? toolName : rule)}`;
}

const NOBODY = "No terminal is available to ask, and no rule allows this.";

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const KEYS = ["y", "s", "a", "n", "d", "x"];
/** Fits a terminal of 80 columns, with room for typing. */
const LABEL = "Allow?  y once  s session  a always  n no  d no, because…  x stop: ";

/** Asks a person at a terminal whether a tool may run; undefined if the signal fires first, `later` if they type a prompt instead. */
async function askPermission(
  { terminal, ruleFor, style, write }: Desk,
  question: Question,
  signal: AbortSignal,
): Promise<Decision | "later" | undefined> {
  const rule = ruleFor(question);
  writeFresh(terminal.screen, describe(question, style));
  for (;;) {
    const answer = await terminal.key(LABEL, KEYS, signal);
    if (answer?.type === "sentence" && write) {
      write(answer.text);
      return "later";
    }
    const key = answer?.type === "sentence" ? "d" : answer?.key;
    switch (key) {
      case "y":
        return allowOnce();
      case "n":
        return deny("");
      case "x":
        return deny("", true);
      case "d": {
        const begun = answer?.type === "sentence" ? answer.text : "";
        const reason = await text(terminal, "No, because: ", begun, signal);
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

/** Reads a line; undefined if the person goes back to choose again. */
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

/**
 * The rule to propose for calls like this one: the agent's suggestion, else ours; empty if any rule would allow too much. What a safety
 * check stops, only an exact rule allows.
 */
export function proposeRule(
  {
    toolName,
    inputJson,
    suggestedRules: [suggested],
    reasonType,
  }: Pick<Question, "toolName" | "inputJson" | "suggestedRules" | "reasonType">,
  cwd: string,
  home: string,
): string {
  if (reasonType === "safetyCheck") return exactRule(toolName, inputJson);
  if (suggested !== undefined) return suggested;
  const rule = suggestRule({ toolName, input: parseJsonObject(inputJson) ?? {} }, { cwd, home });
  return rule === undefined ? "" : printRule(rule);
}
