import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { apiReference } from "../scripts/api-reference.mjs";
import { coveragePage } from "../scripts/coverage-page.mjs";
import { driftPages } from "../scripts/drift-pages.mjs";
import { manPage } from "../scripts/man-page.mjs";
import { openApi } from "../scripts/openapi.mjs";
import { protocolReference } from "../scripts/protocol-reference.mjs";
import { withSettings } from "../scripts/settings-table.mjs";
import { thirdParty } from "../scripts/third-party.mjs";

test("docs/protocol.md matches the schemas (if not: npm run docs)", () => {
  const written = readFileSync(new URL("../docs/protocol.md", import.meta.url), "utf8");
  expect(written).toBe(protocolReference());
});

test("docs/api.md and the OpenAPI description match the contract (if not: npm run docs)", async () => {
  expect(readFileSync(new URL("../docs/api.md", import.meta.url), "utf8")).toBe(apiReference());
  const written = JSON.parse(readFileSync(new URL("../packages/api/openapi.json", import.meta.url), "utf8"));
  expect(written).toEqual(openApi());
});

test("the operating guide lists every key of the settings, as the daemon has it (if not: npm run docs)", () => {
  const guide = readFileSync(new URL("../docs/guides/operating.md", import.meta.url), "utf8");
  expect(guide).toBe(withSettings(guide));
});

test("the manual page matches the commands (if not: npm run docs)", async () => {
  const written = readFileSync(new URL("../packages/cli/man/agentwire.1", import.meta.url), "utf8");
  expect(written).toBe(await manPage());
});

test("THIRD-PARTY.md matches the lockfile (if not: npm run docs)", () => {
  const written = readFileSync(new URL("../THIRD-PARTY.md", import.meta.url), "utf8");
  expect(written).toBe(thirdParty(fileURLToPath(new URL("..", import.meta.url))));
});

test("docs/coverage.md matches the recordings (if not: npm run docs)", async () => {
  const written = readFileSync(new URL("../docs/coverage.md", import.meta.url), "utf8");
  expect(written).toBe(await coveragePage());
});

test("docs/drift matches the contracts (if not: npm run docs)", () => {
  const folder = new URL("../docs/drift/", import.meta.url);
  // newest.md describes what is on npm, not this checkout.
  const names = readdirSync(folder).filter((name) => name !== "newest.md");
  const written = names.map((name) => [name, readFileSync(new URL(name, folder), "utf8")] as const);
  expect(new Map(written.toSorted())).toEqual(new Map([...driftPages()].toSorted()));
});

const ROOT = new URL("../", import.meta.url);
const PAGES = [
  ...readdirSync(ROOT).filter((name) => name.endsWith(".md")),
  ...readdirSync(new URL("docs/", ROOT), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
  ...readdirSync(new URL("packages/", ROOT)).map((name) => `packages/${name}/README.md`),
  "examples/README.md",
];

/** The anchor of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");

function leadsSomewhere(page: string, link: string): boolean {
  const target = new URL(link, new URL(page, ROOT));
  const anchor = target.hash.slice(1);
  target.hash = "";
  if (!existsSync(target)) return false;
  if (anchor === "") return true;
  const headings = readFileSync(target, "utf8").matchAll(/^#+ (.+)$/gm);
  return [...headings].some(([, heading = ""]) => anchorOf(heading) === anchor);
}

test.each(PAGES)("every link in %s has a target", (page) => {
  const prose = readFileSync(new URL(page, ROOT), "utf8").replace(/^```[\s\S]*?^```/gm, "");
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g)]
    .map(([, link, source]) => link ?? source ?? "")
    .filter((link) => !/^https?:/.test(link));
  expect(links.filter((link) => !leadsSomewhere(page, link))).toEqual([]);
});

test("examples/README.md links to every example", () => {
  const page = readFileSync(new URL("examples/README.md", ROOT), "utf8");
  const examples = readdirSync(new URL("examples/sdk/", ROOT)).filter((name) => name.endsWith(".mjs"));
  expect(examples.filter((name) => name !== "setup.mjs" && !page.includes(`(sdk/${name})`))).toEqual([]);
});

test("decisions are numbered without gaps, dated, and listed in their index", () => {
  const folder = new URL("docs/decisions/", ROOT);
  const names = readdirSync(folder).filter((name) => name !== "README.md");
  const index = readFileSync(new URL("README.md", folder), "utf8");
  expect(names.toSorted().map((name) => name.slice(0, 3))).toEqual(
    names.map((_, place) => String(place + 1).padStart(3, "0")),
  );
  for (const name of names) {
    const text = readFileSync(new URL(name, folder), "utf8");
    const [, title] =
      new RegExp(`^# ${name.slice(0, 3)}: (.+)\\n\\nDate: 2\\d{3}-\\d\\d-\\d\\d · Status: \\w+`).exec(text) ??
      [];
    expect(title, `${name} begins with its number, title, date and status`).toBeDefined();
    expect(index).toContain(`](${name}) | ${title} |`);
  }
});

test("nothing cites a document that readers can't open", () => {
  const citation = /seeds?[ _-]?0\d\d|\bthe seeds?\b(?! (?:is|that) )|\bseed's\b/i;
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const files = listed
    .split("\0")
    .filter((name) => /\.(?:md|tsx?|mjs|proto|ya?ml)$/.test(name) && name !== "test/docs.test.ts");
  const citing = files.filter(
    (name) =>
      citation.test(name) ||
      (existsSync(new URL(name, ROOT)) && citation.test(readFileSync(new URL(name, ROOT), "utf8"))),
  );
  expect(files.length).toBeGreaterThan(1000);
  expect(citing).toEqual([]);
});
