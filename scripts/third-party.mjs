import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Licenses that allow us to redistribute a package; others must be checked first. */
const KNOWN = new Set([
  ...[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BlueOak-1.0.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "PSF-2.0",
    "Unlicense",
  ],
  ...["(Apache-2.0 AND BSD-3-Clause)", "(BSD-3-Clause OR GPL-2.0)"],
]);

/** THIRD-PARTY.md: every package that is installed with ours, with its license. Throws for a license that is not known to be compatible. */
export function thirdParty(root) {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const shipped = new Map();
  for (const [path, entry] of Object.entries(packages)) {
    const isOurs = path.startsWith("packages/") && !path.includes("node_modules");
    if (isOurs) follow(packages, path, { ...entry.dependencies, ...entry.optionalDependencies }, shipped);
  }
  const rows = [...shipped]
    .map(([path, entry]) => ({
      name: nameOf(path),
      version: entry.version,
      licence: licenceOf(root, path, entry),
    }))
    .sort((a, b) => a.name.localeCompare(b.name) || a.version.localeCompare(b.version));
  const unknown = rows.filter(({ licence }) => !KNOWN.has(licence));
  if (unknown.length > 0)
    throw new Error(
      `look at these licences first: ${unknown.map(({ name, licence }) => `${name} (${licence})`).join(", ")}`,
    );
  return `# Third-party software

Made by \`npm run docs\` from the lockfile: what \`npm install agentwire\` brings beside our own packages, which are under [Apache-2.0](LICENSE). The texts of what is bundled are in \`dist/LICENSES.txt\` of each package; all others have theirs in their folder.

| package | version | licence |
| --- | --- | --- |
${rows.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`).join("\n")}
`;
}

/** Adds the dependencies of a package, recursively, resolved as Node would from its folder. */
function follow(packages, from, dependencies, found) {
  for (const name of Object.keys(dependencies)) {
    const path = resolveFrom(packages, from, name);
    if (path === undefined || found.has(path) || packages[path].link) continue;
    found.set(path, packages[path]);
    const {
      dependencies: next,
      optionalDependencies,
      peerDependencies,
      peerDependenciesMeta,
    } = packages[path];
    const needed = Object.keys(peerDependencies ?? {}).filter(
      (peer) => !peerDependenciesMeta?.[peer]?.optional,
    );
    follow(
      packages,
      path,
      { ...next, ...optionalDependencies, ...Object.fromEntries(needed.map((peer) => [peer, ""])) },
      found,
    );
  }
}

function resolveFrom(packages, from, name) {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = folder === "." ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === ".") return undefined;
  }
}

const nameOf = (path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

function licenceOf(root, path, { license }) {
  const manifest = join(root, path, "package.json");
  return (
    license ??
    (existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")).license : undefined) ??
    "none"
  );
}
