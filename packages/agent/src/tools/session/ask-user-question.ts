import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { Tool } from "../tool.ts";

/** Asks the user a question with prepared answers; the host shows it as a permission question and returns the answers. */
export const askUserQuestion: Tool = {
  name: "AskUserQuestion",
  description:
    "Ask the user one to four questions, each with two to four options to choose from. Use it when the work could go different ways and only the user can decide. The user may always answer something else.",
  inputSchema: {
    type: "object",
    properties: {
      questions: {
        type: "array",
        minItems: 1,
        maxItems: 4,
        items: {
          type: "object",
          properties: {
            question: { type: "string", description: "The whole question, ending in a question mark" },
            header: { type: "string", description: "One or two words to show above it" },
            options: {
              type: "array",
              minItems: 2,
              maxItems: 4,
              items: {
                type: "object",
                properties: {
                  label: { type: "string" },
                  description: { type: "string" },
                  preview: { type: "string" },
                },
                required: ["label", "description"],
              },
            },
            multiSelect: {
              type: "boolean",
              default: false,
              description: "Whether several options may be chosen",
            },
          },
          required: ["question", "header", "options"],
        },
      },
      answers: { type: "object", description: "Filled in by the user" },
      annotations: { type: "object", description: "Filled in by the user" },
      metadata: { type: "object" },
    },
    required: ["questions"],
  },
  isReadOnly: () => true,
  async run(input) {
    const answers = isJsonObject(input.answers) ? input.answers : {};
    const told = Object.entries(answers).map(([question, answer]) => `"${question}": "${String(answer)}"`);
    const content =
      told.length > 0
        ? `The user answered: ${told.join(", ")}. Go on with these answers in mind.`
        : "The user answered none of the questions.";
    const data: JsonObject = {
      questions: input.questions,
      answers,
      ...(input.annotations !== undefined && { annotations: input.annotations }),
    };
    return { content, data };
  },
};
