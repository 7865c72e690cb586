import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { brokenLinks } from "../site/links.mjs";
import { publishedVersions, replaceTop, versionsPage } from "../site/versions.mjs";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-site-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

test("broken links to a page, an anchor or another version of the site are found", () => {
  write(
    "index.html",
    '<a href="/wire/b.html#there">a</a><a href="/wire/b.html#gone">b</a><a href="c.html">c</a>',
  );
  write(
    "b.html",
    '<h2 id="there">b</h2><a href="/wire/v0.1.0/index.html">d</a><a href="/wire/v0.2.0/index.html">e</a>',
  );
  write(
    "v0.1.0/index.html",
    '<a href="/b.html">outside of the site</a><a href="https://example.com/x">elsewhere</a>',
  );
  expect(brokenLinks(folder, "/wire/").toSorted()).toEqual([
    "b.html: /wire/v0.2.0/index.html",
    "index.html: /wire/b.html#gone",
    "index.html: c.html",
    "v0.1.0/index.html: /b.html",
  ]);
});

test("a release keeps and lists the sites of earlier versions, and replaces the newest one", () => {
  write("v0.9.0/index.html", "0.9.0");
  write("v0.10.0/index.html", "0.10.0");
  write("old.html", "0.10.0");
  write(".nojekyll", "");
  const built = join(folder, ".built");
  mkdirSync(built);
  writeFileSync(join(built, "index.html"), "0.10.0");

  const versions = publishedVersions(folder);
  expect(versions).toEqual(["v0.10.0", "v0.9.0"]);
  expect(versionsPage("0.10.0", versions, "/wire/")).toMatch(
    /href="\/wire\/index\.html".*\n.*href="\/wire\/v0\.10\.0\/.*\n.*href="\/wire\/v0\.9\.0\//,
  );

  replaceTop(folder, built);
  expect(readdirSync(folder).toSorted()).toEqual([".built", ".nojekyll", "index.html", "v0.10.0", "v0.9.0"]);
  expect(readFileSync(join(folder, "index.html"), "utf8")).toBe("0.10.0");
});
