const SEND_KEY = "agentwire-send-key";

/** The key that sends a prompt: Enter, or Control and Enter (Command on a Mac). */
export type SendKey = "enter" | "ctrl-enter";

/** Which key sends, on this device. */
export const sendKey = (): SendKey =>
  localStorage.getItem(SEND_KEY) === "ctrl-enter" ? "ctrl-enter" : "enter";

/** Chooses the key that sends. */
export function chooseSendKey(key: SendKey): void {
  localStorage.setItem(SEND_KEY, key);
}

/** Whether a key sends what is typed; in the middle of a composed character none does. */
export function sends({ key, shiftKey, ctrlKey, metaKey, isComposing }: KeyboardEvent): boolean {
  if (key !== "Enter" || isComposing) return false;
  return ctrlKey || metaKey || (!shiftKey && sendKey() === "enter");
}

const GROUPED = "agentwire-by-folder";

/** Whether sessions are listed by their folders, on this device. */
export const isGroupedByFolder = (): boolean => localStorage.getItem(GROUPED) === "yes";

/** Lists sessions by their folders, or not any more. */
export function groupByFolder(isGrouped: boolean): void {
  localStorage.setItem(GROUPED, isGrouped ? "yes" : "no");
}

const DENSITY = "agentwire-density";

/** How much fits on the screen. */
export type Density = "comfortable" | "compact";

/** The density on this device. */
export const density = (): Density =>
  localStorage.getItem(DENSITY) === "compact" ? "compact" : "comfortable";

/** Chooses the density, and shows it. */
export function chooseDensity(wanted: Density): void {
  localStorage.setItem(DENSITY, wanted);
  showDensity();
}

/** Has stylesheets follow the density that is chosen. */
export function showDensity(): void {
  document.documentElement.dataset.density = density();
}

const PUSH = "agentwire-push";

/** Whether this device gets notifications while no page is open. */
export const hasPush = (): boolean => localStorage.getItem(PUSH) === "on";

/** Remembers that it does, or not any more. */
export function notePush(isOn: boolean): void {
  localStorage.setItem(PUSH, isOn ? "on" : "off");
}
