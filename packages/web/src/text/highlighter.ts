import { common, createLowlight } from "lowlight";

const lowlight = createLowlight(common);

/** A piece of a line with a single color. */
export interface Piece {
  readonly text: string;
  /** Its CSS class; empty for plain text. */
  readonly kind: string;
}

/** Longer texts stay plain, because highlighting them would be noticeably slow. */
const LONGEST = 100_000;

/** Languages by file extension, where the extension is not the language's name. */
const BY_ENDING: Readonly<Record<string, string>> = {
  cjs: "javascript",
  mjs: "javascript",
  jsx: "javascript",
  cts: "typescript",
  mts: "typescript",
  tsx: "typescript",
  yml: "yaml",
  htm: "xml",
  html: "xml",
  svg: "xml",
  vue: "xml",
  h: "c",
  hpp: "cpp",
  cc: "cpp",
  rs: "rust",
  py: "python",
  rb: "ruby",
  kt: "kotlin",
  sh: "bash",
  zsh: "bash",
  md: "markdown",
  toml: "ini",
};

/** The language of a file name or of a code block's language tag; undefined if unknown. */
export function languageOf(name: string): string | undefined {
  const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  const language = BY_ENDING[ending] ?? ending;
  return lowlight.registered(language) ? language : undefined;
}

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly properties?: { readonly className?: unknown };
  readonly children?: readonly Node[];
}

/** Splits a text into lines of highlighted pieces. */
export function highlightLines(text: string, language: string | undefined): readonly (readonly Piece[])[] {
  if (language === undefined || text.length > LONGEST)
    return text.split("\n").map((line) => [{ text: line, kind: "" }]);
  const lines: Piece[][] = [[]];
  const walk = (node: Node, kind: string) => {
    if (node.type === "text") {
      const [first = "", ...others] = (node.value ?? "").split("\n");
      lines.at(-1)?.push({ text: first, kind });
      for (const other of others) lines.push([{ text: other, kind }]);
    }
    const classes = node.properties?.className;
    const own = Array.isArray(classes) ? String(classes[0] ?? "") : kind;
    for (const child of node.children ?? []) walk(child, own);
  };
  walk(lowlight.highlight(language, text) as Node, "");
  return lines;
}
