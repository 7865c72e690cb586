import type { Question } from "@agentwire/api";
import type { Client } from "../talk/client.ts";
import { deny } from "./decision.ts";

/** Denies a question because nobody is there to be asked; says how such calls can be allowed. */
export async function denyUnasked({ questions }: Client, question: Question, rule: string): Promise<string> {
  const isForUser = question.userQuestions.length > 0;
  await questions.decide({
    questionId: question.id,
    decision: deny(
      isForUser ? "Nobody is at a terminal to answer. Decide yourself, or say what you need." : NOBODY,
    ),
  });
  if (isForUser) return "nobody is at a terminal to answer; it was told so";
  const wanted = rule === "" ? question.toolName : rule;
  return `denied, for nobody is at a terminal to be asked; to allow it: agentwire rules allow ${quoted(wanted)}`;
}

const NOBODY = "Nobody is at a terminal to be asked, and no rule allows this.";

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
