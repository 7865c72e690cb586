import type { Question } from "@agentwire/api";
import { writeFresh } from "../output.ts";
import type { Style } from "../render/style.ts";
import type { Client } from "../talk/client.ts";
import { toCliError } from "../talk/rpc-error.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { askPermission } from "./ask-permission.ts";
import { askUser } from "./ask-user.ts";
import type { Decision } from "./decision.ts";

/** Who is asked, and where answers go. */
export interface Desk {
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
