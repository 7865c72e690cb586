import { useState } from "preact/hooks";

const SHOWN_MS = 1500;

/** A button that copies a text and confirms it. */
export function CopyButton({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <button type="button" class="quiet small" onClick={() => void copy().catch(() => {})}>
      {isCopied ? "Copied" : "Copy"}
    </button>
  );
}
