import { type Event, EventSchema } from "@agentwire/api";
import { pretty } from "@agentwire/view/text";
import type { Item } from "@agentwire/view/timeline";
import { toJson } from "@bufbuild/protobuf";
import { useEffect, useRef, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { CopyButton } from "./copy-button.tsx";

interface RawProps {
  readonly app: App;
  readonly sessionId: string;
  readonly item: Item;
  readonly onClose: () => void;
}

/** Events created by the daemon itself, which have no line. */
const OF_THE_DAEMON: ReadonlySet<Event["body"]["case"]> = new Set([
  "userInput",
  "statusChange",
  "inputHolderChange",
  "inputRequest",
  "inputRefusal",
  "budgetNotice",
]);

interface Raw {
  readonly event: string;
  readonly line: string;
}

/** Shows the stored event of an item and the line that the agent wrote. */
export function RawDialog({ app, sessionId, item, onClose }: RawProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [raw, setRaw] = useState<Raw | undefined>(undefined);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    const { sessions } = app.client;
    const seq = BigInt(item.seq);
    void app
      .attempt(() =>
        Promise.all([
          sessions.listEvents({ sessionId, fromSeq: seq - 1n, pageSize: 1 }),
          sessions.listRawLines({ sessionId, fromSeq: seq + 1n, backwards: true, pageSize: 1 }),
        ]),
      )
      .then((found) => {
        const [event] = found?.[0].events ?? [];
        const [nearest] = found?.[1].lines ?? [];
        const line = event && OF_THE_DAEMON.has(event.body.case) ? undefined : nearest;
        setRaw({
          event: event
            ? JSON.stringify(toJson(EventSchema, event), null, 2)
            : "This event is no longer stored.",
          line: line
            ? pretty(line.line)
            : "No line is stored: the event does not come from the agent, or is too old.",
        });
      });
  }, [item.seq]);
  return (
    <dialog ref={dialog} class="raw-dialog" onClose={onClose} aria-labelledby="raw-title">
      <header>
        <h2 id="raw-title">Event {item.seq}</h2>
        <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      {raw && <RawPart title="As stored" text={raw.event} />}
      {raw && <RawPart title="The agent's line" text={raw.line} />}
    </dialog>
  );
}

function RawPart({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <section>
      <div class="code-head">
        <h3>{title}</h3>
        <CopyButton text={text} />
      </div>
      <pre tabIndex={0}>{text}</pre>
    </section>
  );
}
