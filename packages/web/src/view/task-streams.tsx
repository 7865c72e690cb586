import { WorkspaceService } from "@agentwire/api";
import { isRunning, type Task, type Tasks } from "@agentwire/view/facts";
import type { CallItem, Item } from "@agentwire/view/timeline";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { textOfError } from "../client.ts";
import { TerminalText } from "./call-card.tsx";
import { ItemRow } from "./item-row.tsx";

interface TasksProps {
  readonly app: App;
  readonly sessionId: string;
  readonly tasks: Tasks;
  /** The loaded items; a subagent's steps are in the call that started it. */
  readonly items: readonly Item[];
}

/** How many finished tasks stay listed. */
const MOST_OVER = 3;
const LOOK_MS = 1000;

/** Background commands and subagents; each is followed while it is unfolded. */
export function TaskStreams({ app, sessionId, tasks, items }: TasksProps) {
  const all = [...tasks].toReversed();
  const running = all.filter(([, task]) => isRunning(task));
  const over = all.filter(([, task]) => !isRunning(task)).slice(0, MOST_OVER);
  if (tasks.size === 0) return null;
  const shown = running.length > 0 ? [...running, ...over] : over;
  return (
    <section class="tasks" aria-label="Background tasks">
      <ul>
        {shown.map(([id, task]) => (
          <li key={id}>
            <TaskStream app={app} sessionId={sessionId} id={id} task={task} items={items} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface StreamProps extends Omit<TasksProps, "tasks"> {
  readonly id: string;
  readonly task: Task;
}

const MARKS: ReadonlyMap<string, string> = new Map([
  ["running", "running"],
  ["completed", "done"],
  ["failed", "failed"],
]);

function TaskStream({ app, sessionId, id, task, items }: StreamProps) {
  const [isOpen, setOpen] = useState(false);
  const { status, description, news, kind } = task;
  const isAgent = kind === "local_agent";
  const stop = () =>
    void app.attempt(() => app.client.connect(WorkspaceService).stopTask({ sessionId, taskId: id }));
  return (
    <details class="task" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class={`mark ${MARKS.get(status) ?? "stopped"}`} role="img" aria-label={status} />
        <span class="tag">{isAgent ? "subagent" : "command"}</span>
        <span class="task-name">{description || id}</span>
        <span class="task-news">{news}</span>
      </summary>
      {isOpen && (
        <div class="task-body">
          {isAgent ? (
            <Steps call={callIn(items, task.toolUseId)} />
          ) : (
            <Output app={app} sessionId={sessionId} id={id} isLive={isRunning(task)} />
          )}
          {isRunning(task) && (
            <button type="button" class="small" onClick={stop}>
              Stop
            </button>
          )}
        </div>
      )}
    </details>
  );
}

function Steps({ call }: { readonly call: CallItem | undefined }) {
  if (!call || call.children.length === 0) return <p class="why">No activity yet.</p>;
  return (
    <ol class="items nested">
      {call.children.map((child) => (
        <ItemRow key={child.key} item={child} />
      ))}
    </ol>
  );
}

interface OutputProps extends Pick<TasksProps, "app" | "sessionId"> {
  readonly id: string;
  readonly isLive: boolean;
}

/** The end of a command's output, polled while it runs. */
function Output({ app, sessionId, id, isLive }: OutputProps) {
  const workspace = useMemo(() => app.client.connect(WorkspaceService), [app]);
  const [text, setText] = useState<string | undefined>(undefined);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    let isWanted = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      try {
        const { output, truncated } = await workspace.getTaskOutput({ sessionId, taskId: id });
        if (isWanted) setText(truncated ? `…\n${output}` : output);
      } catch (error) {
        // Output that is already shown stays.
        if (isWanted) setProblem(textOfError(error));
        return;
      }
      if (isWanted && isLive) timer = setTimeout(look, LOOK_MS);
    };
    void look();
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [id, isLive]);
  if (text === undefined) return <p class="why">{problem || "Loading…"}</p>;
  return (
    <pre class="running-output" role="log" aria-label="Output of the task" aria-live="off" tabIndex={0}>
      {text === "" ? "No output yet." : <TerminalText text={text} />}
    </pre>
  );
}

/** Finds a call by id, at any nesting level. */
function callIn(items: readonly Item[], id: string): CallItem | undefined {
  for (const item of items) {
    if (item.kind !== "call") continue;
    const found = item.toolUseId === id ? item : callIn(item.children, id);
    if (found) return found;
  }
  return undefined;
}
