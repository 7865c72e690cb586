import { isJsonObject, type JsonObject } from "@agentwire/protocol";

/** The JSON types of a field, such as `null | string`; a question mark after its path means that it may be absent. */
export type FieldFacts = Readonly<Record<string, string>>;

interface Seen {
  readonly types: Set<string>;
  count: number;
}

/** Values made up by a model, a tool or a user: the agent does not decide on their fields. */
const OPAQUE = new Set([
  "input",
  "tool_input",
  "tool_response",
  "tool_use_result",
  "structured_output",
  "entries",
  "requested_schema",
  "params",
  "result",
  "settings",
  "effective",
  "applied",
  "gridRows",
]);

/** Objects whose keys are names, for example of models or servers: one entry stands for all. */
const KEYED = new Set([
  "modelUsage",
  "model_usage_since_last_result",
  "errors",
  "hooks",
  "memory_paths",
  "by_type",
  "model_usage",
]);

const MAX_DEPTH = 6;

/** Collects the fields of many values of one kind. */
export class FieldCollector {
  readonly #fields = new Map<string, Map<string, Seen>>();
  readonly #owners = new Map<string, number>();

  /** Adds a value. */
  add(value: JsonObject): void {
    this.#addObject(value, "", 0);
  }

  /** The facts about every field, sorted by path. */
  facts(): FieldFacts {
    const rows = [...this.#fields].flatMap(([owner, fields]) =>
      [...fields].map(([name, { types, count }]) => {
        const isAlways = count === this.#owners.get(owner);
        return [`${owner}${name}${isAlways ? "" : "?"}`, [...types].sort().join(" | ")] as const;
      }),
    );
    return Object.fromEntries(rows.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #addObject(value: JsonObject, owner: string, depth: number): void {
    this.#owners.set(owner, (this.#owners.get(owner) ?? 0) + 1);
    const fields = this.#fields.get(owner) ?? new Map<string, Seen>();
    this.#fields.set(owner, fields);
    for (const [name, part] of Object.entries(value)) {
      const seen = fields.get(name) ?? { types: new Set<string>(), count: 0 };
      fields.set(name, seen);
      seen.count++;
      seen.types.add(typeOf(part));
      if (!OPAQUE.has(name) && depth < MAX_DEPTH) this.#addPart(part, name, owner + name, depth);
    }
  }

  #addPart(part: unknown, name: string, path: string, depth: number): void {
    if (Array.isArray(part)) {
      for (const item of part)
        if (isJsonObject(item)) this.#addObject(item, `${path}[${tagOf(item)}].`, depth + 1);
    } else if (isJsonObject(part)) {
      if (!KEYED.has(name)) this.#addObject(part, `${path}.`, depth + 1);
      else
        for (const item of Object.values(part))
          if (isJsonObject(item)) this.#addObject(item, `${path}.*.`, depth + 1);
    }
  }
}

/** Blocks of a list are distinguished by their type. */
function tagOf(item: JsonObject): string {
  return typeof item.type === "string" && /^[a-z_]+$/.test(item.type) ? item.type : "";
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
