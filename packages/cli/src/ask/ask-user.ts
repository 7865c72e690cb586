import type { Question, UserQuestion } from "@agentwire/api";
import { writeFresh } from "../output.ts";
import { plain } from "../render/plain.ts";
import type { Style } from "../render/style.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** What a person said to all questions, by their texts; `undefined` if the signal fired first, `denied` if they would not say. */
export type Answers = Readonly<Record<string, string>> | "denied" | undefined;

/** Asks a person at a terminal what the agent wants to know. */
export async function askUser(
  terminal: Terminal,
  { userQuestions }: Question,
  style: Style,
  signal: AbortSignal,
): Promise<Answers> {
  const answers: Record<string, string> = {};
  for (const asked of userQuestions) {
    const answer = await askOne(terminal, asked, style, signal);
    if (answer === undefined) return signal.aborted ? undefined : "denied";
    answers[asked.question] = answer;
  }
  return answers;
}

async function askOne(terminal: Terminal, asked: UserQuestion, style: Style, signal: AbortSignal) {
  const { options, multiSelect } = asked;
  writeFresh(terminal.screen, describe(asked, style));
  const kind =
    options.length === 0 ? "Answer" : `${multiSelect ? "Numbers (1,2)" : "Number"} or your own words`;
  for (;;) {
    const answer = await terminal.line({ label: `${kind}, Esc for none: ` }, signal);
    if (answer.type !== "line") return undefined;
    const chosen = chooseOptions(asked, answer.text);
    if (chosen !== undefined) return chosen;
  }
}

/** What a line means: numbers and names of options are their labels, anything else stands for itself; undefined if it says nothing. */
export function chooseOptions({ options, multiSelect }: UserQuestion, line: string): string | undefined {
  const text = line.trim();
  if (text === "") return undefined;
  const labelOf = (word: string) => {
    const trimmed = word.trim();
    const byNumber = /^\d{1,3}$/.test(trimmed) ? options[Number(trimmed) - 1] : undefined;
    return (byNumber ?? options.find(({ label }) => label.toLowerCase() === trimmed.toLowerCase()))?.label;
  };
  const whole = labelOf(text);
  if (whole !== undefined || !multiSelect) return whole ?? text;
  const labels = text.split(",").map(labelOf);
  return labels.every((label) => label !== undefined) ? labels.join(", ") : text;
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
