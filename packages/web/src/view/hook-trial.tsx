import { type Hook, ToolingService } from "@agentwire/api";
import { useState } from "preact/hooks";
import type { App } from "../app.ts";
import { HookEventFields, type HookEvents } from "./hook-event-fields.tsx";
import { FIND_OUT, ToolForm, useSubmission } from "./tool-form.tsx";

interface HookTrialProps {
  readonly app: App;
  readonly cwd: string;
  readonly events: HookEvents;
}

/** Shows which hooks would run at an event, without running them. */
export function HookTrial({ app, cwd, events }: HookTrialProps) {
  const [event, setEvent] = useState("PreToolUse");
  const [subject, setSubject] = useState("");
  const [found, setFound] = useState<readonly Hook[]>();
  const submission = useSubmission(async () => {
    setFound(undefined);
    const tooling = app.client.connect(ToolingService);
    setFound((await tooling.matchHooks({ cwd, event, subject: subject.trim() })).hooks);
    return undefined;
  });
  return (
    <ToolForm
      {...submission}
      label="Which hooks would run"
      title="Which hooks would run?"
      action={FIND_OUT}
      answer={found ? <Found hooks={found} /> : null}
    >
      <div class="fields">
        <HookEventFields
          events={events}
          event={event}
          onEvent={setEvent}
          label={(field) => `Value of ${field}`}
          placeholders={["Bash", ""]}
          value={subject}
          onValue={setSubject}
        />
      </div>
    </ToolForm>
  );
}

function Found({ hooks }: { readonly hooks: readonly Hook[] }) {
  return (
    <div class="panel trial-answer">
      {hooks.length === 0 ? (
        <p>No hooks would run.</p>
      ) : (
        <ol class="numbered">
          {hooks.map((hook) => (
            <li key={`${hook.path} ${hook.id}`}>
              <code>{hook.command}</code>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
