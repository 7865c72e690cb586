const SEND_KEY = "agentwire-send-key";

/** The key that sends a prompt: Enter or Ctrl+Enter (Command+Enter on a Mac). */
export type SendKey = "enter" | "ctrl-enter";

/** The key that sends a prompt on this device. */
export const sendKey = (): SendKey =>
  localStorage.getItem(SEND_KEY) === "ctrl-enter" ? "ctrl-enter" : "enter";

/** Sets the key that sends a prompt on this device. */
export function chooseSendKey(key: SendKey): void {
  localStorage.setItem(SEND_KEY, key);
}

/** Whether a key press sends the prompt; never during IME composition. */
export function sends({ key, shiftKey, ctrlKey, metaKey, isComposing }: KeyboardEvent): boolean {
  if (key !== "Enter" || isComposing) return false;
  return ctrlKey || metaKey || (!shiftKey && sendKey() === "enter");
}

const GROUPED = "agentwire-by-folder";

/** Whether sessions are grouped by folder on this device. */
export const isGroupedByFolder = (): boolean => localStorage.getItem(GROUPED) === "yes";

/** Turns grouping by folder on or off. */
export function groupByFolder(isGrouped: boolean): void {
  localStorage.setItem(GROUPED, isGrouped ? "yes" : "no");
}

const DENSITY = "agentwire-density";

/** How densely the console is laid out. */
export type Density = "comfortable" | "compact";

/** The density on this device. */
export const density = (): Density =>
  localStorage.getItem(DENSITY) === "compact" ? "compact" : "comfortable";

/** Sets the density and applies it. */
export function chooseDensity(wanted: Density): void {
  localStorage.setItem(DENSITY, wanted);
  showDensity();
}

/** Applies the chosen density to the page's styles. */
export function showDensity(): void {
  document.documentElement.dataset.density = density();
}

const PUSH = "agentwire-push";

/** Whether this device receives push notifications. */
export const hasPush = (): boolean => localStorage.getItem(PUSH) === "on";

/** Remembers whether this device receives push notifications. */
export function notePush(isOn: boolean): void {
  localStorage.setItem(PUSH, isOn ? "on" : "off");
}
