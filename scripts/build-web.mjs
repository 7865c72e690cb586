import { fileURLToPath } from "node:url";
import { build } from "vite";
import { OWN_SOURCES } from "./own-sources.mjs";

const at = (path) => fileURLToPath(new URL(`../packages/${path}`, import.meta.url));

await build({
  root: at("web"),
  configFile: false,
  logLevel: "warn",
  resolve: {
    alias: Array.from(OWN_SOURCES, ([name, source]) => ({
      find: new RegExp(`^${name}$`),
      replacement: source,
    })),
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    // Nothing is inlined or polyfilled, because the Content Security Policy would not allow it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    emptyOutDir: true,
  },
});
