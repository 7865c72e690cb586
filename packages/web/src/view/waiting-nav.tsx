import { useEffect } from "preact/hooks";
import { hrefOf } from "../route.ts";
import type { ViewProps } from "./shell.tsx";

/** The minimum horizontal distance of a swipe. */
const SWIPE_PX = 80;
const STRAY_PX = 50;

/** Leads to the next session with an open question, by a link or a swipe. */
export function WaitingNav({ app, state, id }: ViewProps & { readonly id: string }) {
  const waiting = [...new Set(state.waiting.map(({ sessionId }) => sessionId))];
  const others = waiting.filter((sessionId) => sessionId !== id);
  const at = waiting.indexOf(id);
  /** The neighboring session with a question; from a session without one, next is the first and previous the last. */
  const neighbour = (step: 1 | -1): string | undefined => {
    if (others.length === 0) return undefined;
    if (at < 0) return step === 1 ? waiting[0] : waiting.at(-1);
    return waiting[(at + step + waiting.length) % waiting.length];
  };
  const next = neighbour(1);
  const before = neighbour(-1);
  useEffect(() => {
    let start: Touch | undefined;
    const begin = ({ touches, target }: TouchEvent) => {
      start = touches.length === 1 && isFree(target) ? touches[0] : undefined;
    };
    const end = ({ changedTouches: [finger] }: TouchEvent) => {
      if (!start || !finger) return;
      const across = finger.clientX - start.clientX;
      const to = across < 0 ? next : before;
      if (Math.abs(across) < SWIPE_PX || Math.abs(finger.clientY - start.clientY) > STRAY_PX || !to) return;
      app.go({ view: "session", id: to });
    };
    document.addEventListener("touchstart", begin, { passive: true });
    document.addEventListener("touchend", end, { passive: true });
    return () => {
      document.removeEventListener("touchstart", begin);
      document.removeEventListener("touchend", end);
    };
  }, [next, before]);
  if (next === undefined) return null;
  return (
    <a class="waiting-nav" href={hrefOf({ view: "session", id: next })}>
      {others.length === 1
        ? "Another session has a question"
        : `${others.length} other sessions have questions`}{" "}
      ›
    </a>
  );
}

/** Whether a swipe that starts on an element is ours; elements that scroll sideways, fields and dialogs handle it themselves. */
function isFree(target: EventTarget | null): boolean {
  for (let node = target instanceof Element ? target : null; node; node = node.parentElement) {
    if (node.matches("dialog, input, textarea, select, [role=slider]")) return false;
    if (node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).overflowX !== "visible")
      return false;
  }
  return true;
}
