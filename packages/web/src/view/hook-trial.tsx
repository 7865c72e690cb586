import { type Hook, type ListHooksResponse, ToolingService } from "@agentwire/api";
import { useState } from "preact/hooks";
import type { App } from "../app.ts";
import { textOfError } from "../client.ts";
import { FieldProblem } from "./field-problem.tsx";

interface HookTrialProps {
  readonly app: App;
  readonly cwd: string;
  readonly events: ListHooksResponse["events"];
}

/** Asks which hooks would run at an event, without running them. */
export function HookTrial({ app, cwd, events }: HookTrialProps) {
  const [event, setEvent] = useState("PreToolUse");
  const [subject, setSubject] = useState("");
  const [found, setFound] = useState<readonly Hook[]>();
  const [problem, setProblem] = useState("");
  const field = events.find(({ name }) => name === event)?.matchedField ?? "";
  const ask = async (submitted: Event) => {
    submitted.preventDefault();
    try {
      setFound(
        (await app.client.connect(ToolingService).matchHooks({ cwd, event, subject: subject.trim() })).hooks,
      );
      setProblem("");
    } catch (error) {
      setFound(undefined);
      setProblem(textOfError(error));
    }
  };
  return (
    <form class="form tool-form" aria-label="Which would run" onSubmit={(submitted) => void ask(submitted)}>
      <h2>Which would run…</h2>
      <div class="fields">
        <label>
          At
          <select value={event} onChange={({ currentTarget }) => setEvent(currentTarget.value)}>
            {events.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        {field !== "" && (
          <label>
            With {field}
            <input
              value={subject}
              placeholder={field === "tool_name" ? "Bash" : ""}
              spellcheck={false}
              onInput={({ currentTarget }) => setSubject(currentTarget.value)}
            />
          </label>
        )}
      </div>
      <FieldProblem id="hook-trial-problem" text={problem} />
      <div role="status">
        {found && (
          <div class="panel trial-answer">
            {found.length === 0 ? (
              <p>None would run.</p>
            ) : (
              <ol class="numbered">
                {found.map((hook) => (
                  <li key={`${hook.scope} ${hook.id}`}>
                    <code>{hook.command}</code>
                  </li>
                ))}
              </ol>
            )}
          </div>
        )}
      </div>
      <p class="actions">
        <button type="submit">Find out</button>
      </p>
    </form>
  );
}
