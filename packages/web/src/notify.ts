import type { Question } from "@agentwire/api";
import { hasPush } from "./preferences.ts";
import type { State } from "./state.ts";

const told = new Set<string>();

/** Tells of questions that wait, once each, unless their session is in view. */
export function notifyOf(
  questions: readonly Question[],
  { open }: State,
  show: (sessionId: string) => void,
): void {
  for (const { id, sessionId, toolName, userQuestions } of questions) {
    if (told.has(id)) continue;
    told.add(id);
    if (!document.hidden && open?.id === sessionId) continue;
    const text = userQuestions[0]?.question ?? `May it use ${toolName}?`;
    notify("An agent is waiting for you", text, id, () => show(sessionId));
  }
}

/** Tells a user who looks elsewhere, where the browser may; a later word under the same tag takes the place of the first. */
export function notify(title: string, body: string, tag: string, show: () => void): void {
  if (!canNotify()) return;
  const notification = new Notification(title, { body, tag });
  notification.onclick = () => {
    window.focus();
    show();
    notification.close();
  };
}

/** Whether the browser would show notifications; a device that gets them by push gets each of them once. */
const canNotify = (): boolean =>
  "Notification" in window && Notification.permission === "granted" && !hasPush();
