import { useEffect, useRef } from "preact/hooks";

const KEYS: readonly (readonly [where: string, keys: readonly (readonly [key: string, does: string])[]])[] = [
  [
    "Everywhere",
    [
      ["Ctrl+K", "goes to a session or page"],
      ["?", "shows these keys"],
      ["j k", "go to the next session of the list, and to the one before"],
      ["f", "finds words in the session that is shown"],
      ["c o", "open its changes and its files"],
      ["/", "begins to write in the session that is shown"],
    ],
  ],
  [
    "Prompt",
    [
      ["Enter", "sends; Shift+Enter begins a line"],
      ["/ and @", "offer commands, files and subagents"],
      ["↑ ↓", "bring back what was said before"],
      ["Escape", "interrupts"],
      ["↑ ↓ on ⠿", "move a queued prompt"],
    ],
  ],
  [
    "Questions",
    [
      ["y", "allows it once"],
      ["s", "allows a rule until the session ends"],
      ["a", "saves a rule; of a plan: carries it out and accepts edits"],
      ["e", "allows other input"],
      ["n d x", "deny it, with a reason, and end the turn"],
    ],
  ],
];

/** What the keys do. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="raw-dialog keys-dialog" onClose={onClose} aria-labelledby="keys-title">
      <header>
        <h2 id="keys-title">Keys</h2>
        <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      {KEYS.map(([where, keys]) => (
        <section key={where}>
          <h3>{where}</h3>
          <dl>
            {keys.map(([key, does]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </dialog>
  );
}
