/** The form of an entry's name; every part but the last names a branch. */
export const SLUG_FORM =
  "small letters, digits, dots, dashes and underscores, in up to 6 parts of up to 60 characters with slashes between them, such as projects/website/build";

const MAX_DEPTH = 6;
const PART = /^[a-z0-9][a-z0-9._-]{0,59}$/;

/** Whether a text is a valid slug. */
export function isSlug(text: string): boolean {
  // Checked first, so that a huge text is not split.
  if (text.length > MAX_DEPTH * 61) return false;
  const parts = text.split("/");
  return parts.length <= MAX_DEPTH && parts.every((part) => PART.test(part));
}

/** Removes the slashes that people and models write around a slug. */
export function trimSlashes(text: string): string {
  return /^\/*(.*?)\/*$/s.exec(text.slice(0, 1000).trim())?.[1] ?? "";
}
