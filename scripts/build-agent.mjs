import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bundleProgram, ROOT, writeLicenses } from "./bundle.mjs";
import { fromSources } from "./own-sources.mjs";

const AGENT = join(ROOT, "packages/agent");
const LEAN = join(ROOT, "scripts/lean");

/**
 * The Anthropic client looks up the classes of `fetch` in the global scope, where the first access loads them. In the bundle it gets our
 * headers, and a form and a stream class that no body is an instance of; OpenTelemetry is left out, since its tracing is off. Its table of error codes refers to a class for each, and through
 * them to all of its resources; without the table, the class of an error follows from its status.
 */
const leanClient = {
  name: "lean-client",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^@opentelemetry\/api$/ }, () => ({ path: join(LEAN, "opentelemetry.mjs") }));
    const headers = JSON.stringify(join(ROOT, "packages/models/src/http/plain-headers.ts"));
    const classes = `import { PlainHeaders as Headers } from ${headers}; class FormData {}`;
    onLoad({ filter: /@anthropic-ai\/sdk\/core\/error-classes\.mjs$/ }, () => ({
      contents: "export const ERROR_CODE_CLASSES = new Map();",
    }));
    onLoad({ filter: /@anthropic-ai\/sdk\/.*\.mjs$/ }, async ({ path }) => ({
      contents: `${classes}\n${(await readFile(path, "utf8")).replaceAll("globalThis.ReadableStream", "undefined")}`,
    }));
  },
};

/** Replaces modules of Node that a first turn hardly uses with their functions that load them when called. */
const leanModules = {
  name: "lean-modules",
  setup({ onResolve }) {
    onResolve({ filter: /^node:(child_process|crypto)$/ }, ({ path, importer }) =>
      importer.startsWith(LEAN)
        ? { path, external: true }
        : { path: join(LEAN, `${path.slice("node:".length).replace("_", "-")}.mjs`) },
    );
  },
};

const built = await bundleProgram(AGENT, {
  plugins: [fromSources, leanClient, leanModules],
  inject: [join(LEAN, "performance.mjs")],
  // Every session with Claude needs it.
  inside: ["@anthropic-ai/sdk"],
  // The sandbox runtime looks for programs next to itself; the cloud clients exist only if the user has installed them.
  outside: [
    "@anthropic-ai/sandbox-runtime",
    "@anthropic-ai/bedrock-sdk",
    "@anthropic-ai/vertex-sdk",
    "@anthropic-ai/foundry-sdk",
    "@azure/identity",
  ],
});
writeLicenses(AGENT, built);
