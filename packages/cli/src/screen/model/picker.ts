/** An entry of a list. */
export interface Entry {
  readonly label: string;
  readonly detail: string;
  readonly value: string;
  /** An alternative name that also matches. */
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
  | "rewindScope"
  | "trust";

/** A list to choose from, with the query that filters it. */
export interface Picker {
  readonly kind: PickerKind;
  readonly title: string;
  /** Undefined while it is being loaded. */
  readonly entries: readonly Entry[] | undefined;
  /** The filter text; for commands and files it is part of the prompt. */
  readonly query: string;
  readonly chosen: number;
  /** The query of a search by the daemon, if it produced the entries; they are then already sorted. */
  readonly foundFor?: string;
}

/** Whether the query of a list is a word of the prompt. */
export const isInPrompt = ({ kind }: Picker): boolean => kind === "commands" || kind === "files";

export const newPicker = (
  kind: PickerKind,
  title: string,
  entries: readonly Entry[] | undefined,
  query = "",
): Picker => ({ kind, title, entries, query, chosen: 0 });

const MAX_FOUND = 200;

/** The entries that match the query, best first. */
export function found({ entries = [], query, foundFor }: Picker): readonly Entry[] {
  if (query === "" || query === foundFor) return entries.slice(0, MAX_FOUND);
  const wanted = query.toLowerCase();
  return entries
    .map((entry) => {
      const { label, also = "", detail } = entry;
      return { entry, score: scoreOf(`${label} ${also} ${detail}`.toLowerCase(), wanted) };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_FOUND)
    .map(({ entry }) => entry);
}

/** The highlighted entry. */
export const chosenEntry = (picker: Picker): Entry | undefined => found(picker)[picker.chosen];

/** Moves the highlight, wrapping around at both ends. */
export function moved(picker: Picker, by: number): Picker {
  const count = found(picker).length;
  return count === 0 ? picker : { ...picker, chosen: (picker.chosen + by + count) % count };
}

/** How well a text matches the query: contiguous letters at the beginning score best; 0 if any are missing. */
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
