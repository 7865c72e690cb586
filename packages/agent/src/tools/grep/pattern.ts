/** How a pattern is to be taken. */
export interface PatternOptions {
  readonly ignoreCase: boolean;
  /** Lets a match go over several lines, and a dot match line breaks. */
  readonly multiline: boolean;
}

const CLASSES = new Map([
  ["alnum", "a-zA-Z0-9"],
  ["alpha", "a-zA-Z"],
  ["blank", " \\t"],
  ["digit", "0-9"],
  ["lower", "a-z"],
  ["punct", "!-\\/:-@\\[-`{-~"],
  ["space", "\\s"],
  ["upper", "A-Z"],
  ["word", "\\w"],
  ["xdigit", "0-9a-fA-F"],
]);

/** Compiles a pattern that may be written for ripgrep; a string says what is wrong with it. */
export function compilePattern(pattern: string, options: PatternOptions): RegExp | string {
  const [prefix = "", inline = ""] = /^\(\?([ims]+)\)/.exec(pattern) ?? [];
  const flags = new Set(["g", ...inline]);
  if (options.ignoreCase) flags.add("i");
  if (options.multiline) flags.add("m").add("s");
  const source = pattern
    .slice(prefix.length)
    .replace(/\[:(\w{1,6}):\]/g, (text, name: string) => CLASSES.get(name) ?? text);
  const letters = [...flags].join("");
  try {
    // Only with "u" are there \p{…} and whole characters, but it refuses needless backslashes, which people write.
    return compiled(source, `${letters}u`) ?? new RegExp(source, letters);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function compiled(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}
