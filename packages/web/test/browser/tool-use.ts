/** A tool call in a scripted model's reply. */
export const use = (id: string, name: string, input: unknown) => ({ type: "tool_use", id, name, input });
