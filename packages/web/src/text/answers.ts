import type { UserQuestion } from "@agentwire/api";

/** What the user has chosen for one question, and what they said in their own words. */
export interface Choice {
  readonly labels: readonly string[];
  readonly own: string;
}

export const NO_CHOICE: Choice = { labels: [], own: "" };

/** What is chosen before anybody has chosen: what is proposed. */
export function proposed({ options, initial }: UserQuestion): Choice {
  const words = initial.split(", ");
  const labels = options
    .map(({ label }) => label)
    .filter((label) => label === initial || words.includes(label));
  return { labels, own: labels.length > 0 ? "" : initial };
}

/** How a text is typed: browsers know some kinds. */
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

/** The choice with an option taken or left; of one that allows a single answer it is the only one. */
export function toggled({ multiSelect }: UserQuestion, choice: Choice, label: string): Choice {
  if (!multiSelect) return { labels: [label], own: "" };
  const has = choice.labels.includes(label);
  return {
    ...choice,
    labels: has ? choice.labels.filter((each) => each !== label) : [...choice.labels, label],
  };
}

/** The choice with words of one's own, which take the place of the options where only one answer is allowed. */
export function withOwn({ multiSelect }: UserQuestion, choice: Choice, own: string): Choice {
  return { labels: multiSelect ? choice.labels : [], own };
}

/** The answer as the agent gets it: options in the order they were offered, then one's own words; empty if there is none. */
export function answerOf({ options }: UserQuestion, { labels, own }: Choice): string {
  const chosen = options.map(({ label }) => label).filter((label) => labels.includes(label));
  return [...chosen, ...(own.trim() === "" ? [] : [own.trim()])].join(", ");
}
