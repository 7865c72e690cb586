import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { anchorOf } from "../anchor.mjs";

const PAGES = fileURLToPath(new URL("../pages/", import.meta.url));
const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

/** The pages of a folder, by title. */
function entries(folder) {
  return readdirSync(join(PAGES, folder))
    .filter((name) => name.endsWith(".md") && name !== "index.md")
    .map((name) => entry(join(folder, name)));
}

function entry(page) {
  const [, title = page] = /^# (.+)$/m.exec(readFileSync(join(PAGES, page), "utf8")) ?? [];
  return { text: title.replaceAll("`", ""), link: `/${page.replace(/(?:index)?\.md$/, "")}` };
}

const section = (text, items, collapsed = false) => ({ text, items, collapsed });

// biome-ignore lint/style/noDefaultExport: VitePress wants it
export default defineConfig({
  title: "agentwire",
  description: "Coding agents as sessions that you watch, steer and answer from anywhere",
  srcDir: "pages",
  outDir: ".vitepress/dist",
  cleanUrls: false,
  lastUpdated: false,
  markdown: { anchor: { slugify: anchorOf }, lineNumbers: false },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Tutorials", link: "/docs/tutorials/phone" },
      { text: "Guides", link: "/docs/guides/cli" },
      { text: "Reference", link: "/docs/protocol" },
      {
        text: version,
        items: [
          { text: "What has changed", link: "/CHANGELOG" },
          { text: "Other versions", link: "/versions" },
        ],
      },
    ],
    sidebar: [
      section("Begin", [{ text: "agentwire", link: "/" }, ...entries("docs/tutorials")]),
      section("Guides", entries("docs/guides")),
      section("Reference", [
        entry("docs/protocol.md"),
        entry("docs/api.md"),
        entry("docs/coverage.md"),
        entry("docs/benchmarks.md"),
      ]),
      section("Libraries", entries("reference/@agentwire").concat(folders("reference/@agentwire")), true),
      section("Decisions", entries("docs/decisions"), true),
      section("Drift", [entry("docs/drift/index.md"), ...entries("docs/drift")], true),
      section(
        "Project",
        ["ARCHITECTURE", "CONTRIBUTING", "GLOSSARY", "SECURITY", "CHANGELOG"].map((name) =>
          entry(`${name}.md`),
        ),
        true,
      ),
    ],
  },
});

/** The libraries with more than one entry point. */
function folders(folder) {
  return readdirSync(join(PAGES, folder), { withFileTypes: true })
    .filter((found) => found.isDirectory())
    .map(({ name }) => ({ text: name, collapsed: true, items: entries(join(folder, name)) }));
}
