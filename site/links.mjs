import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The broken links in a built site, each as `page: link`. VitePress checks only links to pages; this also checks anchors and links from one
 * version to another.
 */
export function brokenLinks(dist, base) {
  const pages = readdirSync(dist, { recursive: true }).filter(
    (name) => name.endsWith(".html") && name !== "404.html",
  );
  const ids = new Map(pages.map((name) => [name, idsOf(join(dist, name))]));
  return pages.flatMap((page) => {
    const html = readFileSync(join(dist, page), "utf8");
    const links = [...html.matchAll(/<a[^>]* href="([^"]+)"/g)].map(([, link]) =>
      link.replaceAll("&amp;", "&"),
    );
    return links
      .filter((link) => !leadsSomewhere(dist, ids, base + page, link, base))
      .map((link) => `${page}: ${link}`);
  });
}

function leadsSomewhere(dist, ids, address, link, base) {
  if (/^[a-z]+:/.test(link)) return true;
  const url = new URL(link, `http://site${address}`);
  if (!url.pathname.startsWith(base)) return false;
  const path = decodeURIComponent(url.pathname.slice(base.length));
  const file = path === "" || path.endsWith("/") ? `${path}index.html` : path;
  if (!ids.has(file)) return existsSync(join(dist, file));
  const anchor = decodeURIComponent(url.hash.slice(1));
  return anchor === "" || ids.get(file).has(anchor);
}

function idsOf(file) {
  const ids = readFileSync(file, "utf8").matchAll(/ id="([^"]+)"/g);
  return new Set(Array.from(ids, ([, id]) => id.replaceAll("&amp;", "&")));
}
