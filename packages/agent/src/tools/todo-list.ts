/** An item of the model's todo list. */
export interface Todo {
  readonly content: string;
  readonly status: string;
  readonly activeForm: string;
}

/** An item that is about to be added or completed. */
export interface TodoChange {
  readonly event: "TaskCreated" | "TaskCompleted";
  readonly id: string;
  readonly todo: Todo;
}

/** The list that TodoWrite replaces. */
export class TodoList {
  #items: readonly Todo[] = [];
  /** Items have no ids on the wire: they are told apart by their content. */
  readonly #ids = new Map<string, string>();
  /** Called before an item is added or marked as done; returns the reason if that is not allowed. */
  objection: (change: TodoChange, signal: AbortSignal) => Promise<string | undefined> = async () => undefined;

  get items(): readonly Todo[] {
    return this.#items;
  }

  /** Replaces the list, unless a hook objects to one of the changes; returns the objections. */
  async replace(items: readonly Todo[], signal: AbortSignal): Promise<readonly string[]> {
    const before = new Map(this.#items.map((todo) => [todo.content, todo]));
    const objections: string[] = [];
    for (const todo of items) {
      const old = before.get(todo.content);
      const id = this.#idOf(todo);
      const isDone = todo.status === "completed" && old?.status !== "completed";
      const changes = [
        ...(old ? [] : ["TaskCreated" as const]),
        ...(isDone ? ["TaskCompleted" as const] : []),
      ];
      for (const event of changes) {
        const objection = await this.objection({ event, id, todo }, signal);
        if (objection !== undefined) objections.push(objection);
      }
    }
    if (objections.length === 0) this.#items = items;
    return objections;
  }

  #idOf({ content }: Todo): string {
    const id = this.#ids.get(content) ?? String(this.#ids.size + 1);
    this.#ids.set(content, id);
    return id;
  }
}
