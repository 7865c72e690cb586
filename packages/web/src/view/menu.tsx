import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface MenuProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A dropdown menu; it closes on a choice, on Escape, or when the user clicks or focuses elsewhere. */
export function Menu({ label, children }: MenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (menu.current) menu.current.open = false;
  };
  useEffect(() => {
    const leave = ({ target }: Event) => {
      if (target instanceof Node && !menu.current?.contains(target)) close();
    };
    document.addEventListener("pointerdown", leave);
    document.addEventListener("focusin", leave);
    return () => {
      document.removeEventListener("pointerdown", leave);
      document.removeEventListener("focusin", leave);
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    close();
    menu.current?.querySelector("summary")?.focus();
  };
  return (
    <details ref={menu} class="menu" onKeyDown={onKeyDown} onClick={(event) => isChoice(event) && close()}>
      <summary aria-label={label}>⋯</summary>
      <div class="menu-items">{children}</div>
    </details>
  );
}

const isChoice = ({ target }: Event) => target instanceof Element && target.closest("button") !== null;
