import { hrefOf } from "../route.ts";

const PAGES = [
  ["rules", "Rules"],
  ["mcp", "MCP servers"],
  ["hooks", "Hooks"],
] as const;

/** Tabs for the pages about rules, MCP servers and hooks. */
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
