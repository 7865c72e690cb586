/** Whether a key is not meant for a field. */
export function isFree({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return false;
  return target.closest("input, textarea, select, [contenteditable]") === null;
}
