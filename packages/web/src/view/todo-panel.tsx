import type { Todo } from "@agentwire/api";

interface TodoProps {
  readonly todos: readonly Todo[];
}

const MARKS: ReadonlyMap<string, string> = new Map([
  ["completed", "✓"],
  ["in_progress", "▸"],
]);

/** The agent's to-do list; hidden once everything is done. */
export function TodoPanel({ todos }: TodoProps) {
  const done = todos.filter(({ status }) => status === "completed").length;
  if (done === todos.length) return null;
  const now = todos.find(({ status }) => status === "in_progress");
  return (
    <details class="todo">
      <summary>
        <span class="tag">
          {done} of {todos.length} done
        </span>{" "}
        {now?.activeForm || now?.content}
      </summary>
      <ul>
        {todos.map(({ content, status }, index) => (
          <li key={index} class={status}>
            <span aria-hidden="true">{MARKS.get(status) ?? "○"}</span> {content}
            <span class="hidden"> ({status.replace("_", " ")})</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
