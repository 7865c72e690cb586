import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Application } from "typedoc";
import { anchorOf } from "./anchor.mjs";

const COMPILER = {
  target: "es2023",
  lib: ["es2023", "dom", "esnext.disposable"],
  module: "nodenext",
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  types: ["node"],
};

/** Writes a page for every entry point of every public library, from the published declarations. */
export async function describeLibraries(root, work, out) {
  const doors = readdirSync(join(root, "packages")).flatMap((folder) =>
    doorsOf(join(root, "packages", folder)),
  );
  for (const { name, types } of doors) {
    const file = join(work, `${name}.ts`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `export * from ${JSON.stringify(types.replace(/\.d\.ts$/, ".js"))};\n`);
  }
  const files = doors.map(({ name }) => join(work, `${name}.ts`));
  const typeRoots = [join(root, "node_modules/@types")];
  writeFileSync(
    join(work, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...COMPILER, typeRoots }, files }),
  );
  const app = await Application.bootstrapWithPlugins({
    entryPoints: files,
    tsconfig: join(work, "tsconfig.json"),
    basePath: work,
    plugin: ["typedoc-plugin-markdown"],
    outputs: [{ name: "markdown", path: out }],
    outputFileStrategy: "modules",
    entryFileName: "index",
    readme: "none",
    // The project's compiler has checked these; TypeDoc uses an older one, which can't read everything that they import.
    skipErrorChecking: true,
    disableSources: true,
    hideGenerator: true,
    hideBreadcrumbs: true,
    hidePageHeader: true,
    excludeExternals: true,
    sanitizeComments: true,
    useHTMLEncodedBrackets: true,
    logLevel: "Error",
  });
  const project = await app.convert();
  if (!project) throw new Error("TypeDoc could not read the declarations: run npm run build first");
  await app.generateOutputs(project);
  for (const page of readdirSync(out, { recursive: true })) if (page.endsWith(".md")) mendAnchors(out, page);
  return doors.length;
}

/** TypeDoc numbers headings that it considers duplicates. If the page has only one heading of that name, the numbered anchor does not exist. */
function mendAnchors(out, page) {
  const text = readFileSync(join(out, page), "utf8");
  const mended = text.replace(/\]\(([^)#\s]*)#([^)\s]+)-\d+\)/g, (link, path, anchor) => {
    const target = path === "" ? page : join(dirname(page), path);
    const headings = readFileSync(join(out, target), "utf8").matchAll(/^#+ (.+)$/gm);
    const same = [...headings].filter(([, heading]) => anchorOf(heading) === anchor);
    return same.length === 1 ? `](${path}#${anchor})` : link;
  });
  if (mended !== text) writeFileSync(join(out, page), mended);
}

function doorsOf(folder) {
  const {
    name,
    private: isPrivate,
    exports = {},
  } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (isPrivate) return [];
  return Object.entries(exports)
    .filter(([, { types }]) => types)
    .map(([door, { types }]) => ({
      // A page whose name ends like a file of another type would be served as one.
      name: door === "." ? name : `${name}${door.slice(1).replaceAll(".", "-")}`,
      types: join(folder, types),
    }));
}
