import { type Attendee, PresenceService } from "@agentwire/api";
import { useEffect, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { watcherWords } from "../text/watcher-words.ts";
import { Icon } from "./icon.tsx";

const EVERY_MS = 2000;
/** Whoever has pressed no key for so long is not typing any more. */
const TYPING_MS = 4000;

/** Who else watches this session, and who types; says of this tab whether somebody types here. */
export function Watchers({ app, sessionId }: { readonly app: App; readonly sessionId: string }) {
  const [others, setOthers] = useState<readonly Attendee[]>([]);
  useEffect(() => {
    const presence = app.client.connect(PresenceService);
    let typedMs = Number.NEGATIVE_INFINITY;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const attend = async () => {
      clearTimeout(timer);
      // What can't be asked now is asked again; the page says elsewhere that the daemon does not answer.
      if (!document.hidden) {
        const typing = performance.now() - typedMs < TYPING_MS;
        await presence.attend({ sessionId, typing }).then(
          (answer) => setOthers(answer.others),
          () => {},
        );
      }
      clearTimeout(timer);
      timer = setTimeout(() => void attend(), EVERY_MS);
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
      clearTimeout(timer);
      document.removeEventListener("input", onInput);
      // The next look at it says so by itself.
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
