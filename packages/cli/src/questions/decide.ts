import type { Question } from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol/support";
import {
  allowAlways,
  allowForSession,
  allowOnce,
  type Decision,
  deny,
  proposeRule,
  type Scope,
} from "../ask/answer.ts";
import { chooseOptions } from "../ask/ask-user.ts";
import { type Call, hasOption, textOption } from "../command.ts";
import { runningDaemon } from "../daemon/reach.ts";
import { UsageError } from "../errors.ts";
import { plain } from "../render/plain.ts";
import { printDisposition, shortId } from "../render/question-line.ts";
import type { Client } from "../talk/client.ts";
import { findQuestion } from "../talk/sessions.ts";

/** Allows the call that a question is about. */
export async function allow(call: Call): Promise<number> {
  const { client, question } = await find(call);
  return decide(call, client, question, await permission(call, client, question));
}

async function permission(call: Call, client: Client, question: Question): Promise<Decision> {
  const time = textOption(call, "for") ?? "once";
  const given = textOption(call, "rule");
  if (time === "once") {
    if (given !== undefined)
      throw new UsageError("--rule has no effect on a single call", "add --for session or --for always");
    return allowOnce(textOption(call, "input"));
  }
  const { session } = await client.sessions.getSession({ sessionId: question.sessionId });
  const rule = given ?? proposeRule(question, session?.cwd ?? "", call.io.env.HOME ?? "");
  if (rule === "")
    throw new UsageError("any rule for this call would allow too much", "give one yourself with --rule");
  return time === "session"
    ? allowForSession(rule)
    : allowAlways(rule, (textOption(call, "scope") ?? "project") as Scope);
}

/** Denies the call that a question is about. */
export async function denyQuestion(call: Call): Promise<number> {
  const { client, question } = await find(call);
  return decide(call, client, question, deny(textOption(call, "reason") ?? "", hasOption(call, "stop")));
}

/** Answers an agent's question to its user. */
export async function answer(call: Call): Promise<number> {
  const { client, question } = await find(call);
  const given = call.args.slice(1);
  const { userQuestions } = question;
  if (userQuestions.length === 0)
    throw new UsageError("this question asks for a permission", "use agentwire questions allow or deny");
  const content = textOption(call, "content");
  if (content !== undefined) {
    if (given.length > 0) throw new UsageError("--content replaces the answers", "give one or the other");
    if (!question.elicitation)
      throw new UsageError("this question has no form", "give one answer per question");
    return tell(call, await client.questions.answer({ questionId: question.id, contentJson: content }));
  }
  if (given.length !== userQuestions.length)
    throw new UsageError(
      `${userQuestions.length} answers are needed, one per question: ${userQuestions.map((one) => plain(one.question)).join(" / ")}`,
    );
  const answers = Object.fromEntries(
    userQuestions.map((asked, index) => {
      const text = given[index] ?? "";
      // The daemon rejects anything that is not an option and lists the options.
      return [asked.question, chooseOptions(asked, text) ?? text];
    }),
  );
  const response = await client.questions.answer({ questionId: question.id, answers });
  return tell(call, response);
}

async function find({ io, args: [given = ""] }: Call) {
  const client = await runningDaemon(io, "questions");
  return { client, question: await findQuestion(client, given) };
}

async function decide(
  call: Call,
  { questions }: Client,
  { id }: Question,
  decision: Decision,
): Promise<number> {
  return tell(call, await questions.decide({ questionId: id, decision }));
}

interface Response {
  readonly decidedNow: boolean;
  readonly question?: Question;
}

/** Reports the outcome, which is another client's if that was first. */
function tell({ io, json }: Call, { decidedNow, question }: Response): number {
  const { id = "", disposition = 0, decidedBy = "" } = question ?? {};
  const what = printDisposition(disposition);
  if (json) io.stdout.write(`${JSON.stringify({ id, decidedNow, disposition: what, decidedBy })}\n`);
  else io.stdout.write(`${shortId(id)} is ${what}${decidedNow ? "" : `: ${plain(decidedBy)} was first`}\n`);
  return decidedNow ? EXIT_CODES.done : EXIT_CODES.turnFailed;
}
