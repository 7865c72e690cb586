/** A text as every store gives it back: engines cut it at the character zero or refuse it. */
export const storable = (text: string): string =>
  text.includes("\0") ? text.replaceAll("\0", "\ufffd") : text;
