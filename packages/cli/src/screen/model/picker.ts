/** Something that can be chosen from a list. */
export interface Entry {
  readonly label: string;
  readonly detail: string;
  readonly value: string;
  /** Other names that it is looked for by. */
  readonly also?: string;
}

/** What a list is for. */
export type PickerKind =
  | "commands"
  | "files"
  | "sessions"
  | "models"
  | "modes"
  | "history"
  | "rewind"
  | "sure"
  | "trust";

/** A list to choose from, with what is typed to narrow it down. */
export interface Picker {
  readonly kind: PickerKind;
  readonly title: string;
  /** Undefined while it is being loaded. */
  readonly entries: readonly Entry[] | undefined;
  /** What is looked for; of commands and files it stands in the prompt. */
  readonly query: string;
  readonly chosen: number;
  /** What the entries were looked for with, where others than us do it; they are the best then, in order. */
  readonly foundFor?: string;
}

/** Lists whose query is a word of the prompt. */
export const isInPrompt = ({ kind }: Picker): boolean => kind === "commands" || kind === "files";

export const newPicker = (
  kind: PickerKind,
  title: string,
  entries: readonly Entry[] | undefined,
  query = "",
): Picker => ({ kind, title, entries, query, chosen: 0 });

const MOST_FOUND = 200;

/** The entries that match what is looked for, the best first. */
export function found({ entries = [], query, foundFor }: Picker): readonly Entry[] {
  if (query === "" || query === foundFor) return entries.slice(0, MOST_FOUND);
  const wanted = query.toLowerCase();
  return entries
    .map((entry) => {
      const { label, also = "", detail } = entry;
      return { entry, score: scoreOf(`${label} ${also} ${detail}`.toLowerCase(), wanted) };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST_FOUND)
    .map(({ entry }) => entry);
}

/** The entry under the mark. */
export const chosenEntry = (picker: Picker): Entry | undefined => found(picker)[picker.chosen];

/** The list with the mark moved, from the end to the beginning and back. */
export function moved(picker: Picker, by: number): Picker {
  const count = found(picker).length;
  return count === 0 ? picker : { ...picker, chosen: (picker.chosen + by + count) % count };
}

/** How well a text has the letters that are looked for: together and at its beginning is best; 0 if it lacks them. */
function scoreOf(text: string, wanted: string): number {
  const place = text.indexOf(wanted);
  if (place >= 0)
    return (
      1000 -
      Math.min(place, 500) +
      (place === 0 ? 500 : /[/ ._-]/.test(text[place - 1] ?? "") ? 300 : 0) -
      Math.min(text.length, 200) / 1000
    );
  let at = -1;
  for (const char of wanted) {
    at = text.indexOf(char, at + 1);
    if (at < 0) return 0;
  }
  return 1 + 100 / (1 + at);
}
