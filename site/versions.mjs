import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const VERSION = /^v\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?$/;

/** The versions that have a folder of their own in a published site, the newest first. */
export function publishedVersions(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => VERSION.test(name))
    .sort((one, other) => other.localeCompare(one, "en", { numeric: true }));
}

/** The page that lists them. Its links leave this version, which Markdown's can't: VitePress would take them for pages of this one. */
export function versionsPage(current, versions, base) {
  const links = versions.map((name) => `- <a href="${base}${name}/index.html" target="_self">${name}</a>`);
  const others =
    links.length > 0
      ? `Other versions:\n\n- <a href="${base}index.html" target="_self">the newest</a>\n${links.join("\n")}\n`
      : "No version has been released yet.\n";
  return `# Versions\n\nThese are the documents of version ${current}. [What has changed](./CHANGELOG.md)\n\n${others}`;
}

/** Puts a built site at the top of a published one, in the place of the one that is there; the folders of versions, and what begins with a dot, stay. */
export function replaceTop(folder, built) {
  for (const name of readdirSync(folder))
    if (!VERSION.test(name) && !name.startsWith(".") && name !== "CNAME")
      rmSync(join(folder, name), { recursive: true });
  cpSync(built, folder, { recursive: true });
}
