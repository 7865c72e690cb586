import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join, sep } from "node:path";
import { gzipSync } from "node:zlib";
import type { Handler } from "./front.ts";
import { pathOf } from "./path-of.ts";

/** The folder of the console's files; undefined if it is not installed. */
export function consoleFolder(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve("@agentwire/web/package.json")), "dist");
  } catch {
    return undefined;
  }
}

const TYPES: ReadonlyMap<string, string> = new Map([
  [".html", "text/html; charset=utf-8"],
  [".js", "text/javascript; charset=utf-8"],
  [".css", "text/css; charset=utf-8"],
  [".svg", "image/svg+xml"],
  [".png", "image/png"],
  [".webmanifest", "application/manifest+json"],
]);

/** Only our own files are loaded and run; images that an agent shows are embedded in its events. */
const policy = (nodes: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    // When its node dies, the console continues on another one.
    ["connect-src 'self'", ...nodes].join(" "),
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types agentwire-worker",
  ].join("; ");

const HEADERS = {
  "content-security-policy": policy([]),
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
};

interface StaticFile {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Compresses a file on first use, so that the daemon starts faster. */
function packing(file: StaticFile): () => StaticFile {
  let packed: StaticFile | undefined;
  return () => {
    if (packed) return packed;
    const body = gzipSync(file.body);
    const headers = { ...file.headers, "content-encoding": "gzip", "content-length": String(body.length) };
    packed = { headers, body };
    return packed;
  };
}

const takesGzip = ({ headers }: Parameters<Handler>[0]) =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(String(headers["accept-encoding"] ?? ""));

const NO_NODES: ReadonlySet<string> = new Set();

/** Serves the files of a folder from memory, so that no requested path ever reaches the disk. Pages may call the given nodes. */
export function staticFiles(folder: string | undefined, nodes = () => NO_NODES): Handler {
  const files = readAll(folder);
  return (request, response) => {
    const path = pathOf(request);
    const file = files.get(path === "/" ? "/index.html" : path);
    if (!file) {
      response.writeHead(404, { "content-type": "text/plain", ...HEADERS });
      response.end(
        files.size > 0 ? "not found\n" : "the console is not installed; in a checkout: npm run build\n",
      );
      return;
    }
    const { headers, body } = takesGzip(request) ? file.packed() : file;
    const others = [...nodes()];
    const more = others.length === 0 ? {} : { "content-security-policy": policy(others) };
    response.writeHead(200, { ...headers, ...more });
    response.end(request.method === "HEAD" ? "" : body);
  };
}

function readAll(folder: string | undefined): ReadonlyMap<string, StaticFile & { packed(): StaticFile }> {
  const files = new Map<string, StaticFile & { packed(): StaticFile }>();
  if (folder === undefined) return files;
  for (const path of list(folder)) {
    const type = TYPES.get(extname(path));
    if (type === undefined) continue;
    const body = readFileSync(join(folder, path));
    // Their names contain a hash of their content.
    const isHashed = path.startsWith(`assets${sep}`);
    const headers = {
      ...HEADERS,
      "content-type": type,
      "content-length": String(body.length),
      vary: "accept-encoding",
      "cache-control": isHashed ? "public, max-age=31536000, immutable" : "no-cache",
    };
    const file = { headers, body };
    files.set(`/${path.split(sep).join("/")}`, { ...file, packed: packing(file) });
  }
  return files;
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch {
    return [];
  }
}
