import type { Todo } from "@agentwire/api";
import type { Task } from "@agentwire/view/facts";

interface TodoProps {
  readonly todos: readonly Todo[];
  readonly tasks: ReadonlyMap<string, Task>;
}

const MARKS: ReadonlyMap<string, string> = new Map([
  ["completed", "✓"],
  ["in_progress", "▸"],
]);

/** What the agent means to do, and what runs beside the conversation. */
export function TodoPanel({ todos, tasks }: TodoProps) {
  const running = [...tasks].filter(([, { status }]) => status === "running");
  const done = todos.filter(({ status }) => status === "completed").length;
  if (running.length === 0 && (todos.length === 0 || done === todos.length)) return null;
  const now = todos.find(({ status }) => status === "in_progress");
  return (
    <details class="todo">
      <summary>
        {todos.length > 0 && (
          <>
            <span class="tag">
              {done} of {todos.length} done
            </span>{" "}
            {now?.activeForm || now?.content}
          </>
        )}
        {running.length > 0 && <span class="tag">{running.length} in the background</span>}
      </summary>
      <ul>
        {todos.map(({ content, status }, index) => (
          <li key={index} class={status}>
            <span aria-hidden="true">{MARKS.get(status) ?? "○"}</span> {content}
            <span class="hidden"> ({status.replace("_", " ")})</span>
          </li>
        ))}
        {running.map(([id, { description }]) => (
          <li key={id} class="in_progress">
            <span aria-hidden="true">⧖</span> {description}
          </li>
        ))}
      </ul>
    </details>
  );
}
