import type { Tool } from "../tool.ts";

/** The maximum length of the list of names in the description. */
const MAX_LISTED_CHARS = 8_000;
const MAX_RESULTS = 20;

/** The tool that finds deferred tools. */
export const TOOL_SEARCH = "ToolSearch";

/**
 * The tools that are sent to the model only after it has searched for them: those of MCP servers, if there is a tool to search
 * with.
 */
export function deferredTools(tools: ReadonlyMap<string, Tool>): readonly Tool[] {
  if (!tools.has(TOOL_SEARCH)) return [];
  return [...tools.values()].filter(({ mcp }) => mcp !== undefined && !mcp.alwaysLoad);
}

/** Finds tools by name or by words, among those that the model does not get from the start. */
export function toolSearch(tools: () => ReadonlyMap<string, Tool>): Tool {
  return {
    name: TOOL_SEARCH,
    get description() {
      const names = deferredTools(tools()).map(({ name }) => name);
      return [
        "Find tools that are there but were not described to you: `select:Name,Other` picks them by name, anything else searches names and descriptions. What is found can be called from then on.",
        names.length > 0 ? `There are: ${listed(names)}` : "At present there are none.",
      ].join("\n");
    },
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string" },
        max_results: { type: "number", description: "5 unless given" },
      },
      required: ["query"],
    },
    isReadOnly: () => true,
    async run({ query, max_results }) {
      const known = tools();
      const deferred = deferredTools(known);
      const limit = Math.min(MAX_RESULTS, Math.max(1, Number(max_results) || 5));
      const matches = find([...known.values()], String(query), limit);
      const data = { matches, query, total_deferred_tools: deferred.length };
      if (matches.length === 0) return { content: `No tool matches "${String(query)}".`, data };
      const hidden = new Set(deferred.map(({ name }) => name));
      const found = matches.filter((name) => hidden.has(name));
      if (found.length === 0) return { content: `You have these already: ${matches.join(", ")}`, data };
      return { content: found.map((name) => ({ type: "tool_reference", tool_name: name })), data };
    },
  };
}

function listed(names: readonly string[]): string {
  let text = "";
  for (const [index, name] of names.entries()) {
    if (text.length + name.length > MAX_LISTED_CHARS) return `${text} and ${names.length - index} more`;
    text += text === "" ? name : `, ${name}`;
  }
  return text;
}

function find(tools: readonly Tool[], query: string, limit: number): string[] {
  const selected = /^select:(.*)$/s.exec(query)?.[1];
  if (selected !== undefined) {
    const names = new Set(selected.split(",").map((name) => name.trim()));
    return tools
      .map((tool) => tool.name)
      .filter((name) => names.has(name))
      .slice(0, MAX_RESULTS);
  }
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const scored = tools.map((tool) => ({
    name: tool.name,
    score: score(`${tool.name} ${tool.description}`.toLowerCase(), words),
  }));
  return scored
    .filter(({ score: points }) => points > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ name }) => name);
}

const score = (text: string, words: readonly string[]) => words.filter((word) => text.includes(word)).length;
