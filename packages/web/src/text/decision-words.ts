import type { PermissionDecided, Question, QuestionAnswered } from "@agentwire/api";
import { dispositionWords } from "./words.ts";

/** How a question ended, and who ended it. */
export function decisionWords(question: Question, settled: PermissionDecided | QuestionAnswered): string {
  const outcome = dispositionWords(settled.disposition);
  const by = settled.decidedBy === "" ? "" : ` by ${settled.decidedBy}`;
  if ("answers" in settled) {
    const answers = question.userQuestions
      .map(({ question: asked }) => settled.answers[asked])
      .filter(Boolean);
    return answers.length > 0 ? `Answered${by}: ${answers.join("; ")}` : `${capital(outcome)}${by}`;
  }
  const rule = settled.rule === "" ? "" : `, rule ${settled.rule}`;
  const changed = settled.inputChanged ? ", with other input" : "";
  const message = settled.message === "" ? "" : `: ${settled.message}`;
  return `${capital(outcome)}${by}${rule}${changed}${message}`;
}

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
