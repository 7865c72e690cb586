import { cost, count, span, tokens } from "../text/words.ts";
import type { TurnItem } from "../timeline/item.ts";

/** The end of a turn: how it went and what it took. */
export function TurnRow({ item: { turn, usage } }: { readonly item: TurnItem }) {
  const facts = [
    span(Number(turn.durationMs)),
    ...(usage?.turn && tokens(usage.turn) > 0 ? [`${count(tokens(usage.turn))} tokens`] : []),
    ...(usage?.session && cost(usage.session) !== "" ? [`${cost(usage.session)} so far`] : []),
  ];
  const outcome = turn.isError ? (turn.errors[0] ?? turn.subtype.replaceAll("_", " ")) : "";
  return (
    <div class={`turn-end ${turn.isError ? "error" : ""}`}>
      <span>{turn.isError ? `The turn ended early: ${outcome}` : "done"}</span>
      <span>{facts.join(" · ")}</span>
    </div>
  );
}
