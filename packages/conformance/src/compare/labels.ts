/** Gives each id a name by the order in which ids appear, so that two transcripts with different ids can be compared. */
export type Labels = (id: unknown) => string | null;

/** Starts counting at 1. */
export function labels(prefix: string): Labels {
  const known = new Map<string, string>();
  return (id) => {
    if (typeof id !== "string") return null;
    const label = known.get(id) ?? `${prefix}-${known.size + 1}`;
    known.set(id, label);
    return label;
  };
}

const LONGEST_CHOSEN = 24;
const MADE_UP = "toolu_fake";

/** Like `labels`, but keeps the ids that a script chose: they are the same everywhere, and better to read. */
export function toolLabels(): Labels {
  const label = labels("tool");
  return (id) => {
    const chosen = typeof id === "string" && id.length <= LONGEST_CHOSEN && !id.startsWith(MADE_UP);
    return chosen ? id : label(id);
  };
}
