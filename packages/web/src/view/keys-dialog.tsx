import { useEffect, useRef } from "preact/hooks";

const KEYS: readonly (readonly [where: string, keys: readonly (readonly [key: string, does: string])[]])[] = [
  [
    "Everywhere",
    [
      ["Ctrl+K", "go to a session or page"],
      ["?", "show these shortcuts"],
      ["j k", "go to the next or previous session in the list"],
      ["f", "find words in this session"],
      ["c o", "open this session's changes and files"],
      ["/", "write a prompt in this session"],
    ],
  ],
  [
    "Prompt",
    [
      ["Enter", "send; Shift+Enter starts a new line"],
      ["/ and @", "complete commands, files and subagents"],
      ["↑ ↓", "recall earlier prompts"],
      ["Escape", "interrupt the turn"],
      ["↑ ↓ on ⠿", "move a queued prompt"],
    ],
  ],
  [
    "Questions",
    [
      ["y", "allow once"],
      ["s", "allow a rule until the session ends"],
      ["a", "save a rule; for a plan, carry it out and accept edits"],
      ["e", "edit the input and allow it"],
      ["n", "deny"],
      ["d", "deny with a reason"],
      ["x", "deny and end the turn"],
    ],
  ],
];

/** Lists the keyboard shortcuts. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="raw-dialog keys-dialog" onClose={onClose} aria-labelledby="keys-title">
      <header>
        <h2 id="keys-title">Keyboard shortcuts</h2>
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
