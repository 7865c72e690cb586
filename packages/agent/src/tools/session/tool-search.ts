import type { Tool } from "../tool.ts";

/** Finds tools by name or words; the hosts' and models' way to reach those that are not listed up front. */
export function toolSearch(tools: () => ReadonlyMap<string, Tool>): Tool {
  return {
    name: "ToolSearch",
    description:
      "Find tools: `select:Name,Other` picks them by name, anything else searches names and descriptions.",
    inputSchema: {
      type: "object",
      properties: { query: { type: "string" }, max_results: { type: "number", default: 5 } },
      required: ["query"],
    },
    isReadOnly: () => true,
    async run({ query, max_results }) {
      const matches = find([...tools().values()], String(query), Number(max_results) || 5);
      const data = { matches, query, total_deferred_tools: tools().size };
      if (matches.length === 0) return { content: `No tool matches "${String(query)}".`, data };
      return { content: matches.map((name) => ({ type: "tool_reference", tool_name: name })), data };
    },
  };
}

function find(tools: readonly Tool[], query: string, limit: number): string[] {
  const selected = /^select:(.*)$/s.exec(query)?.[1];
  if (selected !== undefined) {
    const names = new Set(selected.split(",").map((name) => name.trim()));
    return tools.map((tool) => tool.name).filter((name) => names.has(name));
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
