import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const VERSION = /^v\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?$/;

/** The versions with a folder in a published site, newest first. */
export function publishedVersions(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => VERSION.test(name))
    .sort((one, other) => other.localeCompare(one, "en", { numeric: true }));
}

/** The page that lists the versions. Its links leave this version, so they are HTML: VitePress would treat Markdown links as pages of this one. */
export function versionsPage(current, versions, base) {
  const links = versions.map((name) => `- <a href="${base}${name}/index.html" target="_self">${name}</a>`);
  const others =
    links.length > 0
      ? `Other versions:\n\n- <a href="${base}index.html" target="_self">the newest</a>\n${links.join("\n")}\n`
      : "No version has been released yet.\n";
  return `# Versions\n\nThese are the documents of version ${current}. [What has changed](./CHANGELOG.md)\n\n${others}`;
}

/** Replaces the site at the top of a published one with a built site; folders of versions and dotfiles are kept. */
export function replaceTop(folder, built) {
  for (const name of readdirSync(folder))
    if (!VERSION.test(name) && !name.startsWith(".") && name !== "CNAME")
      rmSync(join(folder, name), { recursive: true });
  cpSync(built, folder, { recursive: true });
}
