import { type Event, SearchHitKind } from "@agentwire/api";

/** The searchable text of an event. */
export interface Searchable {
  readonly kind: SearchHitKind;
  readonly text: string;
}

/** How much of each text is indexed: its beginning says what it is about, and the index stays small. */
const MAX_SAID = 20_000;
const MAX_CALL = 4000;
const MAX_RESULT = 4000;

/** The searchable text of an event (prompts, answers, tool calls and their results); undefined for all others. */
export function searchableOf({ body }: Event): Searchable | undefined {
  switch (body.case) {
    case "userInput":
      return { kind: SearchHitKind.PROMPT, text: body.value.text.slice(0, MAX_SAID) };
    case "text":
      return { kind: SearchHitKind.ANSWER, text: body.value.text.slice(0, MAX_SAID) };
    case "toolCallStart": {
      const { name, inputJson } = body.value;
      return { kind: SearchHitKind.TOOL_CALL, text: `${name} ${inputText(inputJson)}`.slice(0, MAX_CALL) };
    }
    case "toolCallResult":
      return { kind: SearchHitKind.TOOL_RESULT, text: body.value.text.slice(0, MAX_RESULT) };
    default:
      return undefined;
  }
}

/** The values of a tool's input, without the JSON around them. */
function inputText(json: string): string {
  // Only the beginning of a longer input is indexed.
  if (json.length > 10 * MAX_CALL) return json.slice(0, MAX_CALL);
  try {
    return valuesOf(JSON.parse(json)).join(" ");
  } catch {
    return json;
  }
}

function valuesOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(valuesOf);
}
