/** Whether a key press is outside any text field and has no modifier, so that it can be a shortcut. */
export function isFree({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return false;
  return target.closest("input, textarea, select, [contenteditable]") === null;
}
