import { useEffect, useRef, useState } from "preact/hooks";
import { isFree } from "./free-key.ts";
import { lazy } from "./lazy.tsx";
import type { ViewProps } from "./shell.tsx";

const Palette = lazy(async () => (await import("./palette.tsx")).Palette);
const KeysDialog = lazy(async () => (await import("./keys-dialog.tsx")).KeysDialog);

/** The global keyboard shortcuts, and the dialogs that they open. */
export function Shortcuts({ app, state }: ViewProps) {
  const [shown, setShown] = useState<"palette" | "keys" | undefined>(undefined);
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const isPalette = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey;
      if (document.querySelector("dialog[open]") || (!isPalette && !isFree(event))) return;
      if (isPalette) setShown("palette");
      else if (event.key === "?") setShown("keys");
      else if (event.key === "j") step(1);
      else if (event.key === "k") step(-1);
      else if (event.key === "/") document.querySelector<HTMLElement>(".composer textarea")?.focus();
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", hear);
    return () => document.removeEventListener("keydown", hear);
  }, []);
  const at = useRef(state);
  at.current = state;
  /** Goes to the next or previous session in the list. */
  const step = (by: number) => {
    const { route, sessions } = at.current;
    const here = sessions.findIndex(({ id }) => route.view === "session" && route.id === id);
    const next = sessions[here < 0 ? 0 : Math.min(sessions.length - 1, Math.max(0, here + by))];
    if (next) app.go({ view: "session", id: next.id });
  };
  const close = () => setShown(undefined);
  if (shown === "palette") return <Palette app={app} state={state} onClose={close} />;
  return shown === "keys" ? <KeysDialog onClose={close} /> : null;
}
