import type { AskedQuestion } from "@agentwire/view/timeline";
import { useContext } from "preact/hooks";
import { decisionWords } from "../text/words.ts";
import { IsOurs } from "./folder.ts";

/** A question in the history: its outcome, or that it is still open. */
export function SettledQuestion({ asked: { question, settled } }: { readonly asked: AskedQuestion }) {
  const isOurs = useContext(IsOurs);
  if (!settled) return <p class="asked">{question.toolName} is waiting for an answer: see below.</p>;
  return <p class="asked">{decisionWords(question, settled, isOurs)}</p>;
}
