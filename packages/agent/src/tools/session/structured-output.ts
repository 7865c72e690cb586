import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { UsageError } from "../../usage-error.ts";
import type { Tool } from "../tool.ts";

/** The name of the tool. */
export const STRUCTURED_OUTPUT = "StructuredOutput";

/** The tool with which the model gives an answer that matches the host's schema. */
export interface StructuredOutput {
  readonly tool: Tool;
  /** The answer of the current turn, once given. */
  answer: unknown;
}

/** Creates the tool for a JSON Schema, given as text or as an object. */
export function structuredOutput(schemaGiven: string | JsonObject): StructuredOutput {
  const schema = typeof schemaGiven === "string" ? parse(schemaGiven) : schemaGiven;
  const output: StructuredOutput = {
    answer: undefined,
    tool: {
      name: STRUCTURED_OUTPUT,
      description: "Give your final answer in the form that was asked for. Call it exactly once, at the end.",
      inputSchema: schema,
      isReadOnly: () => true,
      async run(input) {
        const problem = await problemWith(schema, input);
        if (problem !== undefined) {
          const content = `The answer does not fit the schema: ${problem}. Call the tool again with a corrected one.`;
          return { content, isError: true };
        }
        output.answer = input;
        return { content: "The structured answer was taken.", data: "The structured answer was taken." };
      },
    },
  };
  return output;
}

/** Throws if the value of `--json-schema` is not a valid JSON Schema. */
export async function checkSchema(text: string): Promise<void> {
  const ajv = await loadAjv();
  if (ajv.validateSchema(parse(text)) !== true)
    throw new UsageError(
      `--json-schema: the value is not a valid JSON Schema: ${ajv.errorsText(ajv.errors)}`,
    );
}

function parse(text: string): JsonObject {
  try {
    const schema: unknown = JSON.parse(text);
    if (isJsonObject(schema)) return schema;
  } catch (cause) {
    throw new UsageError("--json-schema: the value is not JSON", { cause });
  }
  throw new UsageError("--json-schema: the value is not a JSON object");
}

async function loadAjv() {
  // Once bundled, a CommonJS package has only its default export, the whole module.
  const { default: ajvModule } = await import("ajv");
  return new ajvModule.Ajv({ strict: false, allErrors: true });
}

async function problemWith(schema: JsonObject, value: JsonObject): Promise<string | undefined> {
  const ajv = await loadAjv();
  const validate = ajv.compile(schema);
  return validate(value) ? undefined : ajv.errorsText(validate.errors);
}
