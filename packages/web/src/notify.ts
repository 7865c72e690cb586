import type { Question } from "@agentwire/api";
import type { State } from "./state.ts";

const told = new Set<string>();

/** Tells of questions that wait, once each, unless somebody looks at their session anyway. */
export function notifyOf(
  questions: readonly Question[],
  { open }: State,
  show: (sessionId: string) => void,
): void {
  for (const { id, sessionId, toolName, userQuestions } of questions) {
    if (told.has(id)) continue;
    told.add(id);
    if (!canNotify() || (!document.hidden && open?.id === sessionId)) continue;
    const text = userQuestions[0]?.question ?? `May it use ${toolName}?`;
    const notification = new Notification("An agent waits for you", { body: text, tag: id });
    notification.onclick = () => {
      window.focus();
      show(sessionId);
      notification.close();
    };
  }
}

/** Whether the browser would show notifications. */
export const canNotify = (): boolean => "Notification" in window && Notification.permission === "granted";

/** Whether people have not been asked yet. */
export const mayAskToNotify = (): boolean =>
  "Notification" in window && Notification.permission === "default";
