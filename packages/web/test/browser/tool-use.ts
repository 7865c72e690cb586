/** A call in a reply of a scripted model. */
export const use = (id: string, name: string, input: unknown) => ({ type: "tool_use", id, name, input });
