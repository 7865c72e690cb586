/** One item of the model's own list of work. */
export interface Todo {
  readonly content: string;
  readonly status: string;
  readonly activeForm: string;
}

/** The list that TodoWrite replaces. */
export class TodoList {
  items: readonly Todo[] = [];
}
