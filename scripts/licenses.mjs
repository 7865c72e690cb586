import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The licenses of the packages whose files are in a bundle, given by their paths in the root folder. */
export function licenses(root, inputs) {
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)]
    .sort()
    .map((folder) => license(join(root, folder)))
    .join("\n");
}

function license(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? readFileSync(join(folder, file), "utf8").trim() : "The package has no license file.";
  return `${name} ${version} (${license})\n\n${text}\n`;
}
