import { isJsonObject, type JsonObject } from "@agentwire/protocol";

/** The input of a call as its tool expects it, or what is wrong with it, for the model. */
export type CheckedInput =
  | { readonly ok: true; readonly input: JsonObject }
  | { readonly ok: false; readonly issues: readonly string[] };

const MAX_ISSUES = 20;

/**
 * Checks the input of a call against the JSON Schema of its tool; supports only the keywords that tools use. Fills in defaults;
 * converts numbers and booleans that the model wrote as strings.
 */
export function checkInput(schema: JsonObject, input: unknown): CheckedInput {
  const issues: string[] = [];
  const checked = isJsonObject(input) ? checkObject(schema, input, "", issues) : undefined;
  if (!checked) return { ok: false, issues: ["The input must be an object"] };
  if (issues.length === 0) return { ok: true, input: checked };
  return { ok: false, issues: issues.slice(0, MAX_ISSUES) };
}

function checkValue(schema: JsonObject, given: unknown, path: string, issues: string[]): unknown {
  const types = typesOf(schema);
  const value = coerce(types, given);
  if (types.length > 0 && !types.some((type) => hasType(type, value))) {
    const wanted = types.map((type) =>
      type === "integer" && typeof value === "number" ? "int" : plainType(type),
    );
    issues.push(
      `The parameter \`${path}\` type is expected as \`${wanted.join(" | ")}\` but provided as \`${typeName(value)}\``,
    );
    return value;
  }
  const choices = schema.enum;
  if (Array.isArray(choices) && !choices.includes(value)) {
    const shown = choices.map((choice) => JSON.stringify(choice)).join(", ");
    issues.push(`The parameter \`${path}\` must be one of ${shown}`);
  }
  checkSize(schema, value, path, issues);
  if (Array.isArray(value)) return checkArray(schema, value, path, issues);
  return isJsonObject(value) ? checkObject(schema, value, path, issues) : value;
}

function checkObject(schema: JsonObject, given: JsonObject, path: string, issues: string[]): JsonObject {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const checked = new Map<string, unknown>();
  const unexpected: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const property = propertyOf(properties, name);
    if (!property) {
      if (schema.additionalProperties === false) unexpected.push(name);
      else checked.set(name, value);
      continue;
    }
    checked.set(name, checkValue(property, value, join(path, name), issues));
  }
  for (const name of required) {
    if (typeof name !== "string" || checked.has(name)) continue;
    issues.push(`The required parameter \`${join(path, name)}\` is missing`);
  }
  for (const name of unexpected) issues.push(`An unexpected parameter \`${join(path, name)}\` was provided`);
  for (const name of Object.keys(properties)) {
    const property = propertyOf(properties, name);
    if (property && Object.hasOwn(property, "default") && !checked.has(name))
      checked.set(name, property.default);
  }
  return Object.fromEntries(checked);
}

function checkArray(
  schema: JsonObject,
  given: readonly unknown[],
  path: string,
  issues: string[],
): unknown[] {
  const { items } = schema;
  if (!isJsonObject(items)) return [...given];
  return given.map((item, index) => checkValue(items, item, `${path}[${index}]`, issues));
}

const SIZES = new Map([
  ["number", { least: "minimum", most: "maximum", unit: "" }],
  ["string", { least: "minLength", most: "maxLength", unit: " characters" }],
  ["array", { least: "minItems", most: "maxItems", unit: " items" }],
]);

function checkSize(schema: JsonObject, value: unknown, path: string, issues: string[]): void {
  const keywords = SIZES.get(typeName(value));
  if (!keywords) return;
  const size = typeof value === "string" || Array.isArray(value) ? value.length : Number(value);
  const { [keywords.least]: least, [keywords.most]: most } = schema;
  const verb = keywords.unit === "" ? "be" : "have";
  const complain = (limit: string) =>
    issues.push(`The parameter \`${path}\` must ${verb} ${limit}${keywords.unit}`);
  if (typeof least === "number" && size < least) complain(`at least ${least}`);
  if (typeof most === "number" && size > most) complain(`at most ${most}`);
}

function propertyOf(properties: JsonObject, name: string): JsonObject | undefined {
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isJsonObject(property) ? property : undefined;
}

function typesOf(schema: JsonObject): readonly string[] {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return types.filter((type) => typeof type === "string");
}

function coerce(types: readonly string[], value: unknown): unknown {
  if (typeof value !== "string" || types.includes("string")) return value;
  if (types.includes("boolean") && (value === "true" || value === "false")) return value === "true";
  const isNumeric = types.includes("number") || types.includes("integer");
  return isNumeric && /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : value;
}

function hasType(type: string, value: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  return type === typeName(value);
}

const plainType = (type: string) => (type === "integer" ? "number" : type);

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
