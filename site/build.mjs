// Builds the documents as a site, after npm run build:
//   npm run site                      into site/.vitepress/dist
//   npm run site -- --into FOLDER     into a folder with the sites of earlier versions: as the site of this version, and as the newest
// The site is built for the path / of its host, or for the path in SITE_BASE, such as /agentwire/.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Validator } from "@seriousme/openapi-schema-validator";
import { build } from "vitepress";
import { assemble } from "./assemble.mjs";
import { describeLibraries } from "./libraries.mjs";
import { brokenLinks } from "./links.mjs";
import { publishedVersions, replaceTop, versionsPage } from "./versions.mjs";

const SITE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PAGES = join(SITE, "pages");
const DIST = join(SITE, ".vitepress/dist");

const base = process.env.SITE_BASE || "/";
if (!/^\/(?:.+\/)?$/.test(base)) throw new Error(`SITE_BASE must begin and end with a slash: ${base}`);
const { into } = parseArgs({ options: { into: { type: "string" } } }).values;
const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const openApi = JSON.parse(readFileSync(join(ROOT, "packages/api/openapi.json"), "utf8"));
const { valid, errors } = await new Validator().validate(openApi);
if (!valid) throw new Error(`packages/api/openapi.json is not valid: ${JSON.stringify(errors, null, 2)}`);

rmSync(PAGES, { recursive: true, force: true });
assemble(ROOT, PAGES);
// Inside the project, so that imports in the declarations can be resolved.
const work = mkdtempSync(join(SITE, ".declarations-"));
try {
  const doors = await describeLibraries(ROOT, work, join(PAGES, "reference"));
  console.log(`${doors} modules of the libraries`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
const site = into === undefined ? await buildAlone() : await buildInto(resolve(into));
const broken = brokenLinks(site, base);
for (const link of broken) console.error(`broken link: ${link}`);
process.exitCode = broken.length > 0 ? 1 : 0;

async function buildAlone() {
  await buildAt(base, DIST, []);
  return DIST;
}

async function buildInto(folder) {
  const own = join(folder, `v${version}`);
  mkdirSync(own, { recursive: true });
  const versions = publishedVersions(folder);
  await buildAt(`${base}v${version}/`, own, versions);
  await buildAt(base, DIST, versions);
  replaceTop(folder, DIST);
  return folder;
}

async function buildAt(address, outDir, versions) {
  writeFileSync(join(PAGES, "versions.md"), versionsPage(version, versions, base));
  await build(SITE, { base: address, outDir });
}
