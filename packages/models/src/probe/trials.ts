import type { ApiMessage } from "@agentwire/protocol/messages";
import type { MessagesRequest } from "../request.ts";

/** An ability that a model may have. */
export type Ability = "text" | "stream" | "tool call" | "image" | "thinking";

/** A request that shows whether a model has an ability. */
export interface TrialPlan {
  readonly ability: Ability;
  readonly request: Omit<MessagesRequest, "model">;
  /** What is wrong with the reply; undefined if nothing is. `pieces` is the number of text deltas in which it arrived. */
  readonly fault: (reply: ApiMessage, pieces: number) => string | undefined;
}

const asks = (content: MessagesRequest["messages"][number]["content"], max_tokens = 1024) => ({
  max_tokens,
  messages: [{ role: "user" as const, content }],
});

const textIn = ({ content }: ApiMessage) =>
  content.map((block) => (block.type === "text" ? block.text : "")).join("");

/** A red square of 64 × 64 pixels. */
const RED_SQUARE =
  "iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAT0lEQVR42u3PQQkAAAgEsItw/VMZyQi+hcEKLNO+FgEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQGBywJmTwDiulNVfwAAAABJRU5ErkJggg==";

/** One short request per ability; all of them together cost a few hundred tokens. */
export const TRIALS: readonly TrialPlan[] = [
  {
    ability: "text",
    request: asks("Reply with the single word pong."),
    fault: (reply) => (/pong/i.test(textIn(reply)) ? undefined : `it replied ${shown(textIn(reply))}`),
  },
  {
    ability: "stream",
    request: asks("Count from 1 to 20, separated by spaces."),
    fault: (_, pieces) => (pieces > 1 ? undefined : "the reply came in one piece"),
  },
  {
    ability: "tool call",
    request: {
      ...asks("What is 17 plus 25? Use the tool add."),
      tools: [
        {
          name: "add",
          description: "Adds two numbers.",
          input_schema: {
            type: "object",
            properties: { a: { type: "number" }, b: { type: "number" } },
            required: ["a", "b"],
          },
        },
      ],
    },
    fault: ({ content }) => {
      const call = content.find((block) => block.type === "tool_use");
      if (call?.type !== "tool_use") return "it did not call the tool";
      const { a, b } = call.input as { a?: unknown; b?: unknown };
      return Number(a) + Number(b) === 42 ? undefined : `its input was ${shown(JSON.stringify(call.input))}`;
    },
  },
  {
    ability: "image",
    request: asks([
      { type: "image", source: { type: "base64", media_type: "image/png", data: RED_SQUARE } },
      { type: "text", text: "Which colour is this square? Reply with one word." },
    ]),
    fault: (reply) =>
      /red/i.test(textIn(reply)) ? undefined : `it described a red square as ${shown(textIn(reply))}`,
  },
  {
    ability: "thinking",
    request: {
      ...asks("How many letters r are in strawberry? Think first.", 3000),
      thinking: { type: "enabled", budget_tokens: 1024 },
    },
    fault: ({ content }) =>
      content.some(({ type }) => type === "thinking" || type === "redacted_thinking")
        ? undefined
        : "it returned no thinking",
  },
];

const shown = (text: string) => (text === "" ? "nothing" : JSON.stringify(text.slice(0, 60)));
