// Builds the documents as a site into site/.vitepress/dist, after npm run build: npm run site
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Validator } from "@seriousme/openapi-schema-validator";
import { build } from "vitepress";
import { assemble } from "./assemble.mjs";
import { describeLibraries } from "./libraries.mjs";
import { brokenLinks } from "./links.mjs";

const SITE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PAGES = join(SITE, "pages");

const openApi = JSON.parse(readFileSync(join(ROOT, "packages/api/openapi.json"), "utf8"));
const { valid, errors } = await new Validator().validate(openApi);
if (!valid) throw new Error(`packages/api/openapi.json is not valid: ${JSON.stringify(errors, null, 2)}`);

rmSync(PAGES, { recursive: true, force: true });
assemble(ROOT, PAGES);
// Inside the project, where what the declarations import is found.
const work = mkdtempSync(join(SITE, ".declarations-"));
try {
  const doors = await describeLibraries(ROOT, work, join(PAGES, "reference"));
  console.log(`${doors} modules of the libraries`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
await build(SITE);
const broken = brokenLinks(join(SITE, ".vitepress/dist"));
for (const link of broken) console.error(`broken link: ${link}`);
process.exitCode = broken.length > 0 ? 1 : 0;
