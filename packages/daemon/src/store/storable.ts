/** Normalizes a text so that every store returns it unchanged: engines reject the zero character or cut the text there. */
export const storable = (text: string): string =>
  text.includes("\0") ? text.replaceAll("\0", "\ufffd") : text;
