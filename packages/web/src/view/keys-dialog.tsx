import { useEffect, useRef } from "preact/hooks";

const KEYS: readonly (readonly [where: string, keys: readonly (readonly [key: string, does: string])[]])[] = [
  [
    "Everywhere",
    [
      ["Ctrl+K", "go to a session or page"],
      ["?", "shows these keys"],
      ["j k", "go to the next or previous session in the list"],
      ["f", "find words in this session"],
      ["c o", "open this session's changes and files"],
      ["/", "write in this session"],
    ],
  ],
  [
    "Prompt",
    [
      ["Enter", "send; Shift+Enter starts a new line"],
      ["/ and @", "offer commands, files and subagents"],
      ["↑ ↓", "recall earlier prompts"],
      ["Escape", "interrupts"],
      ["↑ ↓ on ⠿", "move a queued prompt"],
    ],
  ],
  [
    "Questions",
    [
      ["y", "allows it once"],
      ["s", "allow a rule until the session ends"],
      ["a", "save a rule; for a plan: carry it out and accept edits"],
      ["e", "allows other input"],
      ["n d x", "deny it with a reason and end the turn"],
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
