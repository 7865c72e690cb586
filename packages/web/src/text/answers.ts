import type { UserQuestion } from "@agentwire/api";

/** The options chosen for one question, and the user's own text. */
export interface Choice {
  readonly labels: readonly string[];
  readonly own: string;
}

export const NO_CHOICE: Choice = { labels: [], own: "" };

/** The initial choice: the question's proposed answer. */
export function proposed({ options, initial }: UserQuestion): Choice {
  const words = initial.split(", ");
  const labels = options
    .map(({ label }) => label)
    .filter((label) => label === initial || words.includes(label));
  return { labels, own: labels.length > 0 ? "" : initial };
}

/** The attributes of the input field for an answer in a known format. */
export function inputOf({ format }: UserQuestion) {
  switch (format) {
    case "number":
      return { type: "number", step: "any" } as const;
    case "integer":
      return { type: "number", step: 1 } as const;
    case "email":
      return { type: "email" } as const;
    case "date":
      return { type: "date" } as const;
    case "uri":
      return { type: "url" } as const;
    default:
      return { type: "text" } as const;
  }
}

/** The choice after toggling an option; for a single-answer question, the option replaces any other answer. */
export function toggled({ multiSelect }: UserQuestion, choice: Choice, label: string): Choice {
  if (!multiSelect) return { labels: [label], own: "" };
  const has = choice.labels.includes(label);
  return {
    ...choice,
    labels: has ? choice.labels.filter((each) => each !== label) : [...choice.labels, label],
  };
}

/** The choice with the user's own text; for a single-answer question, it replaces the chosen option. */
export function withOwn({ multiSelect }: UserQuestion, choice: Choice, own: string): Choice {
  return { labels: multiSelect ? choice.labels : [], own };
}

/** The answer as sent to the agent: options in the order offered, then the user's own text; empty if there is no answer. */
export function answerOf({ options }: UserQuestion, { labels, own }: Choice): string {
  const chosen = options.map(({ label }) => label).filter((label) => labels.includes(label));
  return [...chosen, ...(own.trim() === "" ? [] : [own.trim()])].join(", ");
}
