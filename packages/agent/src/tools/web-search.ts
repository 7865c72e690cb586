import type { ModelTool } from "../model/model.ts";
import type { Tool } from "./tool.ts";

/** The provider's web search: it runs there, as part of the model call. */
export interface WebSearchDeclaration extends ModelTool {
  readonly max_uses: number;
  readonly allowed_domains?: readonly string[];
  readonly blocked_domains?: readonly string[];
}

/** Web search in the model's list of tools. */
export const webSearchDeclaration: WebSearchDeclaration = {
  type: "web_search_20250305",
  name: "web_search",
  max_uses: 8,
};

/** Web search under the name that hosts and rules use. Nothing of it runs in the agent. */
export function webSearchTool(): Tool {
  return {
    name: "WebSearch",
    description:
      "Searches the web and returns what it found, with addresses. Use it for what is newer than your knowledge.",
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 2, description: "What to search for" },
        allowed_domains: {
          type: "array",
          items: { type: "string" },
          description: "Only results from these domains",
        },
        blocked_domains: {
          type: "array",
          items: { type: "string" },
          description: "No results from these domains",
        },
      },
      required: ["query"],
      additionalProperties: false,
    },
    isReadOnly: () => true,
    run: async () => ({
      content: "Web search is carried out by the model's provider, and this one does not offer it.",
      isError: true,
    }),
  };
}
