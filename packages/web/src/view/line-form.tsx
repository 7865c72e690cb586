import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface LineProps {
  readonly label: string;
  readonly text: string;
  readonly action: string;
  /** Whether the text may have several lines. */
  readonly isLong?: boolean;
  /** Returns an error message for a text; empty if it is valid. */
  readonly check?: (text: string) => string;
  readonly onDone: (text: string) => void;
  readonly onCancel: () => void;
  readonly children?: ComponentChildren;
}

/** Asks for a text, with a default. Enter submits it (Ctrl+Enter if it may have several lines), Escape cancels. */
export function LineForm({
  label,
  text: proposed,
  action,
  isLong,
  check,
  onDone,
  onCancel,
  children,
}: LineProps) {
  const [text, setText] = useState(proposed);
  const complaint = check?.(text) ?? "";
  const isGood = text.trim() !== "" && complaint === "";
  const submit = () => {
    if (isGood) onDone(text.trim());
  };
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const common = {
    ref: field,
    value: text,
    spellcheck: false,
    "aria-label": label,
    onInput: (event: Event) => setText((event.currentTarget as HTMLInputElement).value),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit();
      if (event.key !== "Escape") return;
      event.stopPropagation();
      onCancel();
    },
  };
  return (
    <form
      class="line-form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <span class="line-label">{label}</span>
      {isLong ? (
        <textarea rows={Math.min(12, text.split("\n").length + 1)} {...common} />
      ) : (
        <input {...common} />
      )}
      {complaint !== "" && (
        <span class="complaint" role="alert">
          {complaint}
        </span>
      )}
      {children}
      <button type="submit" class="primary" disabled={!isGood}>
        {action}
      </button>
      <button type="button" class="quiet" onClick={onCancel}>
        Cancel
      </button>
    </form>
  );
}
