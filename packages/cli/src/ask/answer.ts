import type { DecideRequestSchema, Question } from "@agentwire/api";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { writeFresh } from "../output.ts";
import type { Style } from "../render/style.ts";
import type { Client } from "../talk/client.ts";
import { toCliError } from "../talk/rpc-error.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { askPermission } from "./ask-permission.ts";
import { askUser } from "./ask-user.ts";

/** What is decided about a permission question, as the daemon takes it. */
export type Decision = NonNullable<MessageInitShape<typeof DecideRequestSchema>["decision"]>;

/** Where a rule of "always" is kept. */
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

/** Who is asked, and where answers go. */
interface Desk {
  readonly client: Client;
  readonly terminal: Terminal;
  readonly style: Style;
  /** The rule to propose for a question. */
  readonly ruleFor: (question: Question) => string;
}

/** Asks a person about one question and passes the answer on; false if it is still open, because the answer was not taken. */
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
    const decision = await askPermission(terminal, question, desk.ruleFor(question), style, signal);
    if (decision) await decide(client, question, decision);
    return true;
  } catch (error) {
    const known = toCliError(error);
    if (!known) throw error;
    writeFresh(terminal.screen, `${style.red(`✗ ${known.message}`)}\n`);
    return false;
  }
}

const DECLINED = "The user does not want to answer this.";

async function decide({ questions }: Client, { id }: Question, decision: Decision): Promise<void> {
  await questions.decide({ questionId: id, decision });
}

/** Denies a question because there is no terminal; says how such calls can be allowed. */
export async function denyUnasked({ questions }: Client, question: Question, rule: string): Promise<string> {
  const isForUser = question.userQuestions.length > 0;
  await questions.decide({
    questionId: question.id,
    decision: deny(
      isForUser ? "No terminal is available to answer. Decide yourself, or say what you need." : NOBODY,
    ),
  });
  if (isForUser) return "no terminal is available to answer; the agent was told so";
  const wanted = rule === "" ? question.toolName : rule;
  return `denied, because no terminal is available to ask; to allow it: agentwire rules allow ${quoted(wanted)}`;
}

const NOBODY = "No terminal is available to ask, and no rule allows this.";

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
