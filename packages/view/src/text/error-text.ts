/** The text of a tool's result for people: agents put some errors between tags, which are only for the model. */
export const withoutErrorTags = (text: string): string =>
  /^<tool_use_error>(.*)<\/tool_use_error>\s*$/s.exec(text)?.[1] ?? text;
