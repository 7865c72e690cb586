import { isJsonObject } from "@agentwire/protocol";
import type { Item } from "./item.ts";
import { DELTA } from "./read-stream-event.ts";
import { isBeginning, same, sameJson, sameMaskedText, sameText } from "./texts.ts";

/** A field that differs. */
export interface FieldDifference {
  readonly severity: "hard" | "soft";
  readonly field: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** The differences between two items of one kind. */
export function differingFields(expected: Item, actual: Item): readonly FieldDifference[] {
  const hard = Object.entries(expected.hard).flatMap(([field, value]) =>
    compareHard(field, value, actual.hard[field], expected, actual),
  );
  const soft = Object.entries(expected.soft)
    .filter(([field, value]) => !sameLoosely(value, actual.soft[field]))
    .map(([field, value]) => difference("soft", field, value, actual.soft[field]));
  return [...hard, ...soft];
}

function compareHard(
  field: string,
  wanted: unknown,
  got: unknown,
  expected: Item,
  actual: Item,
): readonly FieldDifference[] {
  switch (field) {
    case "input":
      return compareInput(wanted, got);
    case "keys":
      return compareKeys(wanted, got);
    case "error_code":
      return wanted === got ? [] : [difference(wanted === null ? "soft" : "hard", field, wanted, got)];
    case "text":
    case "thinking":
    case "result":
      return isSameText(field, wanted, got, expected, actual) ? [] : [difference("hard", field, wanted, got)];
    default:
      return same(wanted, got) ? [] : [difference("hard", field, wanted, got)];
  }
}

/** A tool's input must have what the recording has; false and null count as absent, and additional keys are ignored. */
function compareInput(wanted: unknown, got: unknown): readonly FieldDifference[] {
  if (!isJsonObject(wanted) || !isJsonObject(got)) {
    return same(wanted, got) ? [] : [difference("hard", "input", wanted, got)];
  }
  const missing = Object.entries(wanted)
    .filter(([key, value]) => (Object.hasOwn(got, key) ? !same(value, got[key]) : !isNothing(value)))
    .map(([key, value]) => difference("hard", `input.${key}`, value, own(got, key)));
  const extra = Object.entries(got)
    .filter(([key, value]) => !Object.hasOwn(wanted, key) && !isNothing(value))
    .map(([key, value]) => difference("soft", `input.${key}`, undefined, value));
  return [...missing, ...extra];
}

function compareKeys(wanted: unknown, got: unknown): readonly FieldDifference[] {
  const [needed, found] = [wanted, got].map((keys) => (Array.isArray(keys) ? keys : []));
  const missing = needed?.some((key) => !found?.includes(key));
  if (missing) return [difference("hard", "keys", wanted, got)];
  return needed?.length === found?.length ? [] : [difference("soft", "keys", wanted, got)];
}

function isSameText(field: string, wanted: unknown, got: unknown, expected: Item, actual: Item): boolean {
  if (typeof wanted !== "string" || typeof got !== "string") return same(wanted, got);
  if (wanted === got) return true;
  if (expected.aborted && actual.aborted) return isBeginning(wanted, got) || sameText(wanted, got);
  if (expected.kind.startsWith(DELTA)) return sameJson(wanted, got);
  return field !== "text" && sameText(wanted, got);
}

function sameLoosely(wanted: unknown, got: unknown): boolean {
  return typeof wanted === "string" && typeof got === "string"
    ? sameMaskedText(wanted, got)
    : same(wanted, got);
}

const isNothing = (value: unknown) => value === false || value === null;

const own = (value: Readonly<Record<string, unknown>>, key: string) =>
  Object.hasOwn(value, key) ? value[key] : undefined;

function difference(
  severity: FieldDifference["severity"],
  field: string,
  expected: unknown,
  actual: unknown,
): FieldDifference {
  return { severity, field, expected, actual };
}
