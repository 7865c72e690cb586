import {
  collectQuestions,
  Disposition,
  ListQuestionsResponseSchema,
  type Question,
  type UserQuestion,
} from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { create } from "@bufbuild/protobuf";
import { type Call, hasOption, textOption } from "../command.ts";
import { runningDaemon } from "../daemon/reach.ts";
import { plain } from "../render/plain.ts";
import { printDeadline, printDisposition, printQuestion, shortId } from "../render/question-line.ts";
import { printWholeCall } from "../render/tool-call.ts";
import { jsonLine } from "../talk/json.ts";
import { sessionId } from "../talk/sessions.ts";

/** Lists the questions of agents. */
export async function list(call: Call): Promise<number> {
  const { io, json } = call;
  const client = await runningDaemon(io, "questions");
  const session = textOption(call, "session");
  const page = await collectQuestions(client.questions, {
    sessionId: session === undefined ? "" : await sessionId(client, session),
    includeDecided: hasOption(call, "all"),
  });
  if (json) io.stdout.write(jsonLine(ListQuestionsResponseSchema, create(ListQuestionsResponseSchema, page)));
  else if (page.questions.length === 0) io.stdout.write("No open questions.\n");
  else io.stdout.write(page.questions.map((question) => describe(question, Date.now())).join(""));
  return EXIT_CODES.done;
}

function describe(question: Question, now: number): string {
  const {
    sessionId: id,
    toolName,
    inputJson,
    disposition,
    decidedBy,
    userQuestions,
    suggestedRules,
  } = question;
  const head = `${printQuestion(question)} of session ${shortId(id)}\n`;
  if (disposition !== Disposition.OPEN)
    return `${head}  ${printDisposition(disposition)} by ${plain(decidedBy)}\n`;
  const lines = [
    ...(userQuestions.length > 0
      ? userQuestions.flatMap((asked) => describeAsked(asked, userQuestions.length > 1))
      : printWholeCall(toolName, inputJson).split("\n")),
    ...(suggestedRules.length > 0 ? [`suggested rules: ${suggestedRules.map(plain).join(", ")}`] : []),
    printDeadline(question, now),
  ];
  return `${head}${lines.map((line) => `  ${line}\n`).join("")}`;
}

/** The possible answers; several questions are listed in the order in which `answer` takes them. */
function describeAsked(
  { question, options, optional, format }: UserQuestion,
  isOneOfMany: boolean,
): string[] {
  const notes = [format, optional ? "optional" : ""].filter((note) => note !== "").map(plain);
  const note = notes.length === 0 ? "" : ` (${notes.join(", ")})`;
  const indent = isOneOfMany ? "  " : "";
  return [
    ...(isOneOfMany || note !== "" ? [`${plain(question)}${note}`] : []),
    ...options.map(({ label }, i) => `${indent}${i + 1}. ${plain(label)}`),
  ];
}
