import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, extname, join, relative, resolve } from "node:path";

const PICTURES = [".png", ".svg"];

/** Copies the project's documents to a folder for VitePress: a README becomes the index page of its folder, and links point to pages or images. */
export function assemble(root, pages) {
  const names = [
    ...readdirSync(root).filter((name) => name.endsWith(".md")),
    ...readdirSync(join(root, "docs"), { recursive: true }).map((name) => join("docs", name)),
    ...readdirSync(join(root, "packages")).map((name) => join("packages", name, "README.md")),
    "examples/README.md",
  ];
  for (const name of names) {
    const target = join(pages, pageOf(name));
    if (extname(name) === ".md") write(target, page(root, name));
    else if (PICTURES.includes(extname(name))) copy(join(root, name), target);
  }
}

const pageOf = (name) => name.replace(/(^|\/)README\.md$/, "$1index.md");

function page(root, name) {
  const text = readFileSync(join(root, name), "utf8");
  // Code blocks are not changed.
  return text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) =>
      part.startsWith("```")
        ? part
        : part.replace(LINK, (all, label, to) => link(root, name, all, label, to)),
    )
    .join("");
}

const LINK = /(?<!!)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;

/** A link as the site needs it; a link to a file that is not on the site becomes plain text. */
function link(root, from, all, label, to) {
  if (/^(?:https?:|mailto:|#)/.test(to)) return all;
  const [path, anchor] = to.split("#");
  const target = relative(root, resolve(root, dirname(from), path));
  const found = isFolder(join(root, target)) ? join(target, "README.md") : target;
  const isPage = extname(found) === ".md" && existsSync(join(root, found));
  if (!isPage && !PICTURES.includes(extname(found))) return label;
  const place = relative(dirname(pageOf(from)), pageOf(found));
  return `[${label}](${place.startsWith(".") ? place : `./${place}`}${anchor ? `#${anchor}` : ""})`;
}

const isFolder = (path) => existsSync(path) && statSync(path).isDirectory();

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}
