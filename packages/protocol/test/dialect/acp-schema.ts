import schema from "@agentclientprotocol/sdk/schema/v1/schema.json" with { type: "json" };
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { isJsonObject, type JsonObject } from "../../src/json.ts";

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(schema, "acp");

/** The definitions of the protocol's schema by method: `Request`, `Response` or `Notification`. */
const byMethod = new Map(
  Object.entries(schema.$defs).flatMap(([name, definition]) => {
    const { "x-method": method } = definition as { "x-method"?: string };
    const [kind] = /(Request|Response|Notification)$/.exec(name) ?? [];
    return method === undefined || kind === undefined ? [] : [[`${method} ${kind}`, name] as const];
  }),
);

const compiled = new Map<string, ValidateFunction>();

function faultsIn(name: string, value: unknown): readonly string[] {
  const validate = compiled.get(name) ?? ajv.compile({ $ref: `acp#/$defs/${name}` });
  compiled.set(name, validate);
  return validate(value)
    ? []
    : (validate.errors ?? []).map((error) => `${name}${error.instancePath} ${error.message}`);
}

/**
 * Checks the lines of one connection against the official schema: requests by their method, responses by that
 * of their request.
 */
export class SchemaCheck {
  readonly faults: string[] = [];
  readonly #methods = { host: new Map<unknown, string>(), agent: new Map<unknown, string>() };

  line(from: "host" | "agent", line: JsonObject): void {
    const fault = (text: string) => this.faults.push(`${from}: ${text}: ${JSON.stringify(line)}`);
    if (line.jsonrpc !== "2.0") {
      fault("not JSON-RPC");
      return;
    }
    const { method, id } = line;
    if (typeof method === "string") {
      if (id !== undefined) this.#methods[from].set(id, method);
      // Extension methods are not covered by the schema.
      if (method.startsWith("_")) return;
      const name = byMethod.get(`${method} ${id === undefined ? "Notification" : "Request"}`);
      if (name === undefined) fault("unknown method");
      else for (const text of faultsIn(name, line.params)) fault(text);
      return;
    }
    const peer = from === "host" ? "agent" : "host";
    const asked = this.#methods[peer].get(id);
    this.#methods[peer].delete(id);
    if (asked === undefined) fault("an answer that nobody waits for");
    else if (isJsonObject(line.error)) for (const text of faultsIn("Error", line.error)) fault(text);
    else if (!asked.startsWith("_"))
      for (const text of faultsIn(byMethod.get(`${asked} Response`) ?? "", line.result)) fault(text);
  }
}
