import { type Attendee, PresenceService } from "@agentwire/api";
import { useEffect, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { watcherWords } from "../text/watcher-words.ts";
import { Icon } from "./icon.tsx";

const EVERY_MS = 2000;
/** How long after the last key press a user still counts as typing. */
const TYPING_MS = 4000;

/** Shows who else is watching the session or typing, and reports whether this tab's user is typing. */
export function Watchers({ app, sessionId }: { readonly app: App; readonly sessionId: string }) {
  const [others, setOthers] = useState<readonly Attendee[]>([]);
  useEffect(() => {
    const presence = app.client.connect(PresenceService);
    let typedMs = Number.NEGATIVE_INFINITY;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLeft = false;
    const attend = async () => {
      clearTimeout(timer);
      // Failures are retried on the next tick; the page reports elsewhere that the daemon does not answer.
      if (!document.hidden) {
        const typing = performance.now() - typedMs < TYPING_MS;
        await presence.attend({ sessionId, typing }).then(
          (answer) => !isLeft && setOthers(answer.others),
          () => {},
        );
      }
      clearTimeout(timer);
      if (!isLeft) timer = setTimeout(() => void attend(), EVERY_MS);
    };
    const onInput = ({ target }: Event) => {
      if (!(target instanceof HTMLTextAreaElement) || !target.closest(".composer")) return;
      const wasTyping = performance.now() - typedMs < TYPING_MS;
      typedMs = performance.now();
      if (!wasTyping) void attend();
    };
    document.addEventListener("input", onInput);
    void attend();
    return () => {
      isLeft = true;
      clearTimeout(timer);
      document.removeEventListener("input", onInput);
      // The next report, if there is one, says that no one is typing.
      typedMs = Number.NEGATIVE_INFINITY;
    };
  }, [sessionId]);
  const words = watcherWords(others, app.client.isOurs);
  if (words === "") return null;
  return (
    <p class="watchers" role="status">
      <Icon of="eye" /> {words}
    </p>
  );
}
