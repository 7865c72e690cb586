import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { textAt } from "../json.ts";
import type { SchemaDialect } from "../providers/provider.ts";

/** References are not followed deeper than this, because a recursive schema has no end. */
const MAX_DEPTH = 12;

const EMPTY: JsonObject = {};

/** Caches adapted schemas: an agent's tools use the same schema objects in every request. */
const KNOWN: Readonly<Record<SchemaDialect, WeakMap<JsonObject, JsonObject>>> = {
  full: new WeakMap(),
  plain: new WeakMap(),
};

/** Converts the schema of a tool's input for a provider: always an object, without references. */
export function adaptSchema(schema: JsonObject | undefined, dialect: SchemaDialect): JsonObject {
  const root = schema ?? EMPTY;
  const known = KNOWN[dialect].get(root) ?? adaptRoot(root, dialect);
  KNOWN[dialect].set(root, known);
  return known;
}

function adaptRoot(root: JsonObject, dialect: SchemaDialect): JsonObject {
  const adapted = adapt(root, root, dialect, 0);
  const { $schema: _version, $defs: _defs, definitions: _definitions, ...rest } = adapted;
  return { ...rest, type: "object", properties: isJsonObject(rest.properties) ? rest.properties : {} };
}

function adapt(schema: JsonObject, root: JsonObject, dialect: SchemaDialect, depth: number): JsonObject {
  if (depth > MAX_DEPTH) return {};
  const reference = textAt(schema, "$ref");
  if (reference !== undefined) {
    const { $ref: _ref, ...beside } = schema;
    return adapt({ ...resolve(reference, root), ...beside }, root, dialect, depth + 1);
  }
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, adaptMember(key, value, root, dialect, depth)]),
  );
  return dialect === "plain" ? plain(inner) : inner;
}

/** Keys whose value is a schema, a list of schemas, or a table of schemas; other values are kept unchanged. */
const SCHEMAS = new Set([
  "items",
  "additionalProperties",
  "not",
  "contains",
  "propertyNames",
  "if",
  "then",
  "else",
]);
const LISTS = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const TABLES = new Set(["properties", "patternProperties", "dependentSchemas"]);

function adaptMember(
  key: string,
  value: unknown,
  root: JsonObject,
  dialect: SchemaDialect,
  depth: number,
): unknown {
  const each = (one: unknown) => (isJsonObject(one) ? adapt(one, root, dialect, depth + 1) : one);
  if (SCHEMAS.has(key)) return each(value);
  if (LISTS.has(key) && Array.isArray(value)) return value.map(each);
  if (TABLES.has(key) && isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, each(one)]));
  return value;
}

/** Resolves a reference within the schema; an unresolvable one allows anything. */
function resolve(reference: string, root: JsonObject): JsonObject {
  if (!reference.startsWith("#")) return {};
  let at: unknown = root;
  for (const part of reference.slice(1).split("/").filter(Boolean)) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return isJsonObject(at) ? at : {};
}

/** The keywords that every schema dialect supports. */
const PLAIN = new Set([
  "type",
  "description",
  "properties",
  "required",
  "items",
  "enum",
  "format",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
  "pattern",
  "default",
  "title",
  "$defs",
  "definitions",
]);

/** Removes unions: keeps the first type that is not null, and merges the properties of object types. */
function plain(schema: JsonObject): JsonObject {
  const merged = { ...schema, ...mergeUnion(schema) };
  const kept = Object.fromEntries(Object.entries(merged).filter(([key]) => PLAIN.has(key)));
  const { type } = kept;
  return {
    ...kept,
    ...(Array.isArray(type) && { type: type.find((one) => one !== "null") ?? "string" }),
    ...("const" in schema && { enum: [schema.const] }),
  };
}

function mergeUnion(schema: JsonObject): JsonObject {
  const all = listOf(schema.allOf);
  if (all.length > 0) return mergeObjects([schema, ...all], true);
  const some = [...listOf(schema.anyOf), ...listOf(schema.oneOf)].filter(({ type }) => type !== "null");
  if (some.length === 0) return {};
  if (some.every((one) => one.type === "object" || one.properties !== undefined))
    return mergeObjects(some, false);
  const enums = some.map((one) => one.enum);
  if (enums.every(Array.isArray)) return { ...some[0], enum: enums.flat() };
  return some[0] ?? {};
}

/** Merges object schemas; for alternatives, only properties that all of them require stay required. */
function mergeObjects(schemas: readonly JsonObject[], isAll: boolean): JsonObject {
  const required = schemas.map((one) => (Array.isArray(one.required) ? one.required : []));
  const names = isAll
    ? required.flat()
    : (required[0] ?? []).filter((name) => required.every((list) => list.includes(name)));
  return {
    ...Object.assign({}, ...schemas),
    type: "object",
    properties: Object.assign(
      {},
      ...schemas.map(({ properties }) => (isJsonObject(properties) ? properties : {})),
    ),
    required: [...new Set(names)],
  };
}

const listOf = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
