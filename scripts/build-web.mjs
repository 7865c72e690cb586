import { fileURLToPath } from "node:url";
import { build } from "vite";

const at = (path) => fileURLToPath(new URL(`../packages/${path}`, import.meta.url));

await build({
  root: at("web"),
  configFile: false,
  logLevel: "warn",
  resolve: { alias: { "@agentwire/api": at("api/src/index.ts") } },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    // What the browser is given is what the policy allows: nothing inlined, nothing polyfilled.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    emptyOutDir: true,
  },
});
