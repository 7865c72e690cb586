import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { at } from "../json-path.ts";

/** The protocol's own schema, from its official package. */
const SCHEMA = createRequire(import.meta.url).resolve("@agentclientprotocol/sdk/schema/v1/schema.json");

type End = "client" | "agent";

/** The definitions of the schema, by method: `session/new Request`. Loaded when the first line is checked. */
let known: { readonly byMethod: ReadonlyMap<string, string>; readonly ajv: Ajv2020 } | undefined;
const compiled = new Map<string, ValidateFunction>();

function definitions() {
  if (known) return known;
  const schema: JsonObject = JSON.parse(readFileSync(SCHEMA, "utf8"));
  const byMethod = new Map(
    Object.entries(schema.$defs as JsonObject).flatMap(([name, definition]) => {
      const [kind] = /(Request|Response|Notification)$/.exec(name) ?? [];
      const method = at(definition, "x-method");
      return method === undefined || kind === undefined ? [] : [[`${method} ${kind}`, name] as const];
    }),
  );
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(schema, "acp");
  known = { byMethod, ajv };
  return known;
}

function faultsIn(name: string, value: unknown): readonly string[] {
  const validate = compiled.get(name) ?? definitions().ajv.compile({ $ref: `acp#/$defs/${name}` });
  compiled.set(name, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${name}${instancePath} ${message}`);
}

/** Checks the lines of one connection against the official schema: requests by method, responses by the method of their request. */
export class SchemaCheck {
  readonly faults: string[] = [];
  readonly #asked = { client: new Map<unknown, string>(), agent: new Map<unknown, string>() };

  /** Checks a line of one end. */
  line(from: End, line: JsonObject): void {
    const fault = (text: string) => this.faults.push(`${text}: ${JSON.stringify(line).slice(0, 500)}`);
    if (line.jsonrpc !== "2.0") fault("not JSON-RPC 2.0");
    else if (typeof line.method === "string") this.#call(from, line.method, line, fault);
    else this.#answer(from, line, fault);
  }

  #call(from: End, method: string, { id, params }: JsonObject, fault: (text: string) => void): void {
    if (id !== undefined) this.#asked[from].set(id, method);
    // Anybody may define extension methods.
    if (method.startsWith("_")) return;
    const name = definitions().byMethod.get(`${method} ${id === undefined ? "Notification" : "Request"}`);
    if (name === undefined) fault(`the protocol has no method ${method}`);
    else for (const text of faultsIn(name, params)) fault(text);
  }

  #answer(from: End, { id, error, result }: JsonObject, fault: (text: string) => void): void {
    const asked = this.#asked[from === "client" ? "agent" : "client"];
    const method = asked.get(id);
    asked.delete(id);
    // A line that could not be read is answered without an id.
    if (method === undefined && !(id === null && isJsonObject(error))) fault("an answer without a request");
    else if (isJsonObject(error)) for (const text of faultsIn("Error", error)) fault(text);
    else if (method !== undefined && !method.startsWith("_")) {
      const name = definitions().byMethod.get(`${method} Response`);
      if (name !== undefined) for (const text of faultsIn(name, result)) fault(text);
    }
  }
}
