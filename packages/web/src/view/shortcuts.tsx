import { useEffect, useState } from "preact/hooks";
import { lazy } from "./lazy.tsx";
import type { ViewProps } from "./shell.tsx";

const Palette = lazy(async () => (await import("./palette.tsx")).Palette);
const KeysDialog = lazy(async () => (await import("./keys-dialog.tsx")).KeysDialog);

/** Keys that work everywhere, and what they open. */
export function Shortcuts({ app, state }: ViewProps) {
  const [shown, setShown] = useState<"palette" | "keys" | undefined>(undefined);
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const isPalette = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey;
      if (document.querySelector("dialog[open]") || (!isPalette && !isFree(event))) return;
      if (isPalette) setShown("palette");
      else if (event.key === "?") setShown("keys");
      else if (event.key === "/") document.querySelector<HTMLElement>(".composer textarea")?.focus();
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", hear);
    return () => document.removeEventListener("keydown", hear);
  }, []);
  const close = () => setShown(undefined);
  if (shown === "palette") return <Palette app={app} state={state} onClose={close} />;
  return shown === "keys" ? <KeysDialog onClose={close} /> : null;
}

/** Whether a key is not meant for a field. */
function isFree({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return false;
  return target.closest("input, textarea, select, [contenteditable]") === null;
}
