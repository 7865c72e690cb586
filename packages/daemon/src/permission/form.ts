import type { UserOptionSchema } from "@agentwire/api";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Choice, type Field, faultOf, valueFrom } from "./form-value.ts";

/** A form can't be shown, or its schema does not accept what a person entered. */
export class FormError extends Error {}

const MAX_FIELDS = 50;
const TYPES: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean", "array"]);
const YES_NO: readonly Choice[] = [
  { label: "Yes", value: true },
  { label: "No", value: false },
];

/** The fields of an elicitation's schema, in the order in which they are asked. */
export function fieldsOf(schema: JsonObject, order: readonly string[] = []): readonly Field[] {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const names = Object.keys(properties);
  if (names.length > MAX_FIELDS) throw new FormError(`the form has more than ${MAX_FIELDS} fields`);
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const missing = required.find((name) => !names.includes(String(name)));
  if (missing !== undefined)
    throw new FormError(`the form requires ${String(missing)} but has no such field`);
  const inOrder = [...new Set([...order.filter((name) => names.includes(name)), ...names])];
  const texts = new Set<string>();
  return inOrder.map((name) => {
    const field = fieldOf(name, properties[name], required.includes(name));
    // Answers refer to questions by their text, so it must be unique.
    const text = texts.has(field.asked.question) ? `${field.asked.question} (${name})` : field.asked.question;
    texts.add(text);
    return { ...field, asked: { ...field.asked, question: text } };
  });
}

function fieldOf(name: string, schema: unknown, isRequired: boolean): Field {
  if (!isJsonObject(schema) || !TYPES.has(schema.type))
    throw new FormError(`the form's field ${name} has a type that can't be shown`);
  const { type, title, description, format } = schema;
  const isMultiple = type === "array";
  const choices =
    type === "boolean" ? YES_NO : choicesOf(isMultiple ? schema.items : schema, schema.enumNames);
  if (isMultiple && !choices) throw new FormError(`the form's field ${name} has no options`);
  const heading = typeof title === "string" && title !== "" ? title : name;
  const options: MessageInitShape<typeof UserOptionSchema>[] = (choices ?? []).map(({ label }) => ({
    label,
  }));
  const wanted = type === "number" || type === "integer" ? type : typeof format === "string" ? format : "";
  return {
    name,
    isRequired,
    schema,
    choices,
    isMultiple,
    asked: {
      header: heading,
      question: typeof description === "string" && description !== "" ? description : heading,
      options,
      multiSelect: isMultiple,
      optional: !isRequired,
      onlyOptions: choices !== undefined,
      initial: initialOf(schema.default, choices),
      format: wanted,
    },
  };
}

/** The options of an enumeration, in any of the forms that servers use. */
function choicesOf(schema: unknown, names: unknown): readonly Choice[] | undefined {
  if (!isJsonObject(schema)) return undefined;
  const { enum: values, oneOf, anyOf } = schema;
  const titled = oneOf ?? anyOf;
  if (Array.isArray(titled))
    return titled.flatMap((option) =>
      isJsonObject(option) && typeof option.const === "string"
        ? [{ label: typeof option.title === "string" ? option.title : option.const, value: option.const }]
        : [],
    );
  if (!Array.isArray(values)) return undefined;
  const labels: readonly unknown[] = Array.isArray(names) ? names : [];
  return values
    .filter((value) => typeof value === "string")
    .map((value, at) => ({ label: typeof labels[at] === "string" ? labels[at] : value, value }));
}

function initialOf(given: unknown, choices: readonly Choice[] | undefined): string {
  if (given === undefined || given === null) return "";
  const labelOf = (value: unknown) =>
    choices?.find((choice) => choice.value === value)?.label ?? String(value);
  return Array.isArray(given) ? given.map(labelOf).join(", ") : labelOf(given);
}

/** Converts answers, by the texts of their questions, to content; throws if the schema does not accept it. */
export function contentFromAnswers(
  fields: readonly Field[],
  answers: Readonly<Record<string, string>>,
): JsonObject {
  const given = fields.flatMap((field) => {
    const text = (answers[field.asked.question] ?? "").trim();
    return text === "" ? [] : [[field.name, valueFrom(field, text)]];
  });
  return checkedContent(fields, Object.fromEntries(given));
}

/** Returns the content if the schema accepts it; throws with the first fault otherwise. */
export function checkedContent(fields: readonly Field[], content: JsonObject): JsonObject {
  const known = new Set(fields.map(({ name }) => name));
  const unknown = Object.keys(content).find((name) => !known.has(name));
  if (unknown !== undefined) throw new FormError(`the form has no field ${unknown}`);
  for (const field of fields) {
    const value = content[field.name];
    const { header } = field.asked;
    if (value === undefined || value === null) {
      if (field.isRequired) throw new FormError(`no answer given to: ${header}`);
      continue;
    }
    const fault = faultOf(field, value);
    if (fault !== undefined) throw new FormError(`${header}: ${fault}`);
  }
  return content;
}

/** The answers for display, by the texts of the questions. */
export function answersOf(fields: readonly Field[], content: JsonObject): Record<string, string> {
  const given = fields.flatMap(({ name, asked, choices }) =>
    content[name] === undefined || content[name] === null
      ? []
      : [[asked.question, initialOf(content[name], choices)]],
  );
  return Object.fromEntries(given);
}
