import { hrefOf } from "../route.ts";

const PAGES = [
  ["rules", "Rules"],
  ["mcp", "MCP servers"],
  ["hooks", "Hooks"],
] as const;

/** The way between the pages about what agents may do and what they work with. */
export function ToolsNav({ at }: { readonly at: (typeof PAGES)[number][0] }) {
  return (
    <nav class="tabs" aria-label="Rules and tools">
      {PAGES.map(([view, label]) => (
        <a key={view} href={hrefOf({ view })} aria-current={view === at ? "page" : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}
