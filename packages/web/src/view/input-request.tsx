import { type Input, type InputClaim, inputStatusOf } from "@agentwire/view/facts";
import { useEffect, useRef, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { notify } from "../notify.ts";
import { clock, many } from "../text/words.ts";
import { useKeys } from "./use-keys.ts";

interface RequestProps {
  readonly app: App;
  readonly sessionId: string;
  readonly input: Input;
}

/** Shows requests for the input held by this tab, one at a time, oldest first. */
export function InputRequest({ app, sessionId, input }: RequestProps) {
  const standing = inputStatusOf(input, app.client.isUs);
  const [first, ...others] = standing.type === "ours" ? standing.requests : [];
  if (!first) return null;
  const key = `${first.client} ${first.untilMs}`;
  return <Card key={key} app={app} sessionId={sessionId} wish={first} others={others.length} />;
}

interface CardProps extends Omit<RequestProps, "input"> {
  readonly wish: InputClaim;
  readonly others: number;
}

function Card({ app, sessionId, wish: { client, untilMs }, others }: CardProps) {
  const card = useRef<HTMLElement>(null);
  const [isBusy, setBusy] = useState(false);
  const title = `${client} asks for the input`;
  useEffect(() => {
    if (document.hidden) notify(title, "They get it unless you refuse.", title, () => {});
  }, []);
  const answer = async (refuse: boolean) => {
    setBusy(true);
    // The card disappears with the answer, so the focus is moved first.
    if (card.current?.contains(document.activeElement))
      document.querySelector<HTMLElement>(".composer textarea")?.focus();
    await app.attempt(() => app.client.sessions.handOverInput({ sessionId, to: client, refuse }));
    setBusy(false);
  };
  const choices = [
    { key: "h", label: "Hand over", run: () => void answer(false) },
    { key: "r", label: "Refuse", run: () => void answer(true) },
  ];
  useKeys(choices, card, true, !isBusy);
  return (
    <section ref={card} class="card" tabIndex={-1} aria-label={title}>
      <h2>
        <strong>{client}</strong> asks for the input
      </h2>
      <p class="why">
        Unless you answer, they get it at {clock(untilMs)}
        {others > 0 && ` · ${many(others, "other")} asked later`}
      </p>
      <div class="choices">
        {choices.map(({ key, label, run }) => (
          <button key={key} type="button" disabled={isBusy} onClick={run} aria-keyshortcuts={key}>
            {label} <kbd>{key}</kbd>
          </button>
        ))}
      </div>
    </section>
  );
}
