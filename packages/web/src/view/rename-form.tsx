import type { Session } from "@agentwire/api";
import { useEffect, useRef, useState } from "preact/hooks";
import type { App } from "../app.ts";

interface RenameProps {
  readonly app: App;
  readonly session: Session;
  readonly onDone: () => void;
}

/** Renames a session: Enter saves, Escape cancels. */
export function RenameForm({ app, session, onDone }: RenameProps) {
  const [title, setTitle] = useState(session.title);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const submit = async (event: Event) => {
    event.preventDefault();
    const answer = await app.attempt(() =>
      app.client.sessions.renameSession({ sessionId: session.id, title: title.trim() }),
    );
    if (answer?.session) app.session?.changed(answer.session);
    onDone();
  };
  return (
    <form class="rename" onSubmit={(event) => void submit(event)}>
      <input
        ref={field}
        aria-label="Title"
        value={title}
        onInput={(event) => setTitle(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Escape" && onDone()}
      />
      <button type="submit" class="small primary">
        Rename
      </button>
      <button type="button" class="small quiet" onClick={onDone}>
        Cancel
      </button>
    </form>
  );
}
