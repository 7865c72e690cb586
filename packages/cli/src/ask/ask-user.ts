import type { Question, UserQuestion } from "@agentwire/api";
import { writeFresh } from "../output.ts";
import { plain } from "../render/plain.ts";
import { printElicitation } from "../render/question-line.ts";
import type { Style } from "../render/style.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** A person's answers, by the text of the question; `undefined` if the signal fired first, `denied` if they declined. */
export type Answers = Readonly<Record<string, string>> | "denied" | undefined;

/** Asks a person at a terminal the agent's questions. */
export async function askUser(
  terminal: Terminal,
  { userQuestions, elicitation }: Question,
  style: Style,
  signal: AbortSignal,
): Promise<Answers> {
  const answers: Record<string, string> = {};
  if (elicitation && !userQuestions[0]?.question.startsWith(elicitation.message))
    writeFresh(terminal.screen, `${style.yellow("│")} ${printElicitation(elicitation)}\n`);
  for (const asked of userQuestions) {
    const answer = await askOne(terminal, asked, style, signal);
    if (answer === undefined) return signal.aborted ? undefined : "denied";
    answers[asked.question] = answer;
  }
  return answers;
}

async function askOne(terminal: Terminal, asked: UserQuestion, style: Style, signal: AbortSignal) {
  const { initial } = asked;
  writeFresh(terminal.screen, describe(asked, style));
  for (;;) {
    const answer = await terminal.line(
      { label: `${howToAnswer(asked)}, Esc to skip: `, text: initial },
      signal,
    );
    if (answer.type !== "line") return undefined;
    const chosen = chooseOptions(asked, answer.text);
    if (chosen !== undefined) return chosen;
  }
}

function howToAnswer({ options, multiSelect, onlyOptions, optional, format }: UserQuestion): string {
  const number = multiSelect ? "Numbers (1,2)" : "Number";
  const kind = options.length === 0 ? kindOf(format) : onlyOptions ? number : `${number} or your own words`;
  return optional ? `${kind}, empty to skip it` : kind;
}

const kindOf = (format: string) => (format === "" ? "Answer" : `Answer (${plain(format)})`);

/**
 * Interprets a line: numbers and names of options become their labels, anything else is taken literally. Undefined if an answer is
 * required and missing, or is not one of the options where only those are accepted.
 */
export function chooseOptions(asked: UserQuestion, line: string): string | undefined {
  const { options, multiSelect, onlyOptions, optional } = asked;
  const text = line.trim();
  if (text === "") return optional ? "" : undefined;
  const own = onlyOptions ? undefined : text;
  const labelOf = (word: string) => {
    const trimmed = word.trim();
    const byNumber = /^\d{1,3}$/.test(trimmed) ? options[Number(trimmed) - 1] : undefined;
    return (byNumber ?? options.find(({ label }) => label.toLowerCase() === trimmed.toLowerCase()))?.label;
  };
  const whole = labelOf(text);
  if (whole !== undefined || !multiSelect) return whole ?? own;
  const labels = text.split(",").map(labelOf);
  return labels.every((label) => label !== undefined) ? labels.join(", ") : own;
}

function describe({ question, header, options }: UserQuestion, { bold, dim, yellow }: Style): string {
  const bar = yellow("│");
  const lines = options.map(({ label, description }, index) => {
    const more = description === "" || description === label ? "" : dim(` – ${plain(description)}`);
    return `${bar} ${index + 1}. ${plain(label)}${more}\n`;
  });
  const title = header === "" ? "" : `${bar} ${dim(plain(header))}\n`;
  return `${title}${bar} ${bold(plain(question))}\n${lines.join("")}`;
}
