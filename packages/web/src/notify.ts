import type { Question } from "@agentwire/api";
import { hasPush } from "./preferences.ts";
import type { State } from "./state.ts";

const told = new Set<string>();

/** Shows a notification for each open question, once, unless its session is in view. */
export function notifyOf(
  questions: readonly Question[],
  { open }: State,
  show: (sessionId: string) => void,
): void {
  for (const { id, sessionId, toolName, userQuestions } of questions) {
    if (told.has(id)) continue;
    told.add(id);
    if (!document.hidden && open?.id === sessionId) continue;
    const text = userQuestions[0]?.question ?? `Allow ${toolName}?`;
    notify("An agent is waiting for you", text, id, () => show(sessionId));
  }
}

/** Shows a notification if the browser allows it; a later one with the same tag replaces it. */
export function notify(title: string, body: string, tag: string, show: () => void): void {
  if (!canNotify()) return;
  const notification = new Notification(title, { body, tag });
  notification.onclick = () => {
    window.focus();
    show();
    notification.close();
  };
}

/** Whether to show notifications from the page: not if this device receives them by push, where each would appear twice. */
const canNotify = (): boolean =>
  "Notification" in window && Notification.permission === "granted" && !hasPush();
