import type { UserQuestionSchema } from "@agentwire/api";
import type { JsonObject } from "@agentwire/protocol";
import type { MessageInitShape } from "@bufbuild/protobuf";

/** One field of a form: its schema, and the question that asks for it. */
export interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: JsonObject;
  /** The options, if the value must be one of them. */
  readonly choices: readonly Choice[] | undefined;
  readonly isMultiple: boolean;
  readonly asked: MessageInitShape<typeof UserQuestionSchema> & { readonly question: string };
}

/** One option: the displayed label, and the value that it stands for. */
export interface Choice {
  readonly label: string;
  readonly value: string | boolean;
}

/** Converts an entered text to a value; a text that has no valid value is returned unchanged, which `faultOf` rejects. */
export function valueFrom({ schema, choices, isMultiple }: Field, text: string): unknown {
  if (isMultiple) return chosen(choices ?? [], text);
  if (choices) return choiceOf(choices, text)?.value ?? text;
  if (schema.type !== "number" && schema.type !== "integer") return text;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

const choiceOf = (choices: readonly Choice[], text: string) => {
  const word = text.toLowerCase();
  return (
    choices.find(({ label }) => label === text) ??
    choices.find(({ label, value }) => label.toLowerCase() === word || String(value).toLowerCase() === word)
  );
};

/** The choices in a comma-separated list; labels may contain commas too, so longer labels are matched first. */
function chosen(choices: readonly Choice[], text: string): readonly unknown[] {
  const longestFirst = [...choices].sort((a, b) => b.label.length - a.label.length);
  const values: unknown[] = [];
  for (let rest = text; rest !== ""; ) {
    const known = longestFirst.find(({ label }) => rest === label || rest.startsWith(`${label},`));
    const [first = ""] = known ? [known.label] : rest.split(",", 1);
    values.push(known?.value ?? choiceOf(choices, first.trim())?.value ?? first.trim());
    rest = rest.slice(first.length + 1).trim();
  }
  return values;
}

/** Why a value does not fit its field; undefined if it does. */
export function faultOf({ schema, choices, isMultiple }: Field, value: unknown): string | undefined {
  if (isMultiple) return listFault(schema, choices ?? [], value);
  if (choices)
    return choices.some((choice) => choice.value === value) ? undefined : `choose ${labelsOf(choices)}`;
  if (schema.type === "number" || schema.type === "integer") return numberFault(schema, value);
  return textFault(schema, value);
}

const labelsOf = (choices: readonly Choice[]) => choices.map(({ label }) => label).join(" or ");

function listFault(
  { minItems, maxItems }: JsonObject,
  choices: readonly Choice[],
  value: unknown,
): string | undefined {
  if (!Array.isArray(value)) return "enter a list";
  const isKnown = (one: unknown) => choices.some((choice) => choice.value === one);
  if (!value.every(isKnown)) return `choose from ${choices.map(({ label }) => label).join(", ")}`;
  if (typeof minItems === "number" && value.length < minItems) return `choose at least ${minItems}`;
  if (typeof maxItems === "number" && value.length > maxItems) return `choose at most ${maxItems}`;
  return undefined;
}

function numberFault({ type, minimum, maximum }: JsonObject, value: unknown): string | undefined {
  if (typeof value !== "number") return "enter a number";
  if (type === "integer" && !Number.isInteger(value)) return "enter a whole number";
  if (typeof minimum === "number" && value < minimum) return `enter at least ${minimum}`;
  if (typeof maximum === "number" && value > maximum) return `enter at most ${maximum}`;
  return undefined;
}

/** Patterns are left to the server to check: matching an untrusted pattern could take forever. */
function textFault({ minLength, maxLength, format }: JsonObject, value: unknown): string | undefined {
  if (typeof value !== "string") return "enter text";
  // The schema counts characters, not UTF-16 code units.
  const { length } = [...value];
  if (typeof minLength === "number" && length < minLength) return `enter at least ${minLength} characters`;
  if (typeof maxLength === "number" && length > maxLength) return `enter at most ${maxLength} characters`;
  const known = typeof format === "string" && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  return known && !known.fits(value) ? `enter ${known.words}` : undefined;
}

const isTime = (text: string) => !Number.isNaN(Date.parse(text));

const FORMATS: Readonly<
  Record<string, { readonly words: string; readonly fits: (text: string) => boolean }>
> = {
  email: { words: "an e-mail address", fits: (text) => /^[^\s@]+@[^\s@]+$/.test(text) },
  uri: { words: "an address such as https://example.com", fits: (text) => URL.canParse(text) },
  date: {
    words: "a date such as 2026-01-31",
    // Date.parse would roll a day that the month does not have over into the next month.
    fits: (text) =>
      /^\d{4}-\d\d-\d\d$/.test(text) && isTime(text) && new Date(text).toISOString().startsWith(text),
  },
  "date-time": {
    words: "a time such as 2026-01-31T12:00:00Z",
    fits: (text) => /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/i.test(text) && isTime(text),
  },
};
