const TYPES: ReadonlyMap<string, readonly string[]> = new Map([
  ["c", ["c", "h"]],
  ["cpp", ["cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "h", "inl"]],
  ["csharp", ["cs"]],
  ["cs", ["cs"]],
  ["css", ["css", "scss", "sass", "less"]],
  ["dart", ["dart"]],
  ["elixir", ["ex", "exs", "eex", "heex"]],
  ["go", ["go"]],
  ["haskell", ["hs", "lhs"]],
  ["html", ["html", "htm"]],
  ["java", ["java", "jsp"]],
  ["js", ["js", "jsx", "mjs", "cjs", "vue"]],
  ["json", ["json", "jsonc", "json5"]],
  ["kotlin", ["kt", "kts"]],
  ["lua", ["lua"]],
  ["md", ["md", "mdx", "markdown"]],
  ["markdown", ["md", "mdx", "markdown"]],
  ["php", ["php", "phtml"]],
  ["py", ["py", "pyi"]],
  ["python", ["py", "pyi"]],
  ["ruby", ["rb", "erb", "gemspec", "rake"]],
  ["rust", ["rs"]],
  ["scala", ["scala", "sbt"]],
  ["sh", ["sh", "bash", "zsh", "fish"]],
  ["sql", ["sql"]],
  ["swift", ["swift"]],
  ["toml", ["toml"]],
  ["ts", ["ts", "tsx", "mts", "cts"]],
  ["txt", ["txt"]],
  ["xml", ["xml", "xsd", "xsl", "svg"]],
  ["yaml", ["yaml", "yml"]],
  ["zig", ["zig"]],
]);

/** The extensions of a type of file; undefined for a type that nobody knows. */
export function extensionsOf(type: string): readonly string[] | undefined {
  return TYPES.get(type.toLowerCase());
}

/** The types of files that can be asked for. */
export function knownTypes(): readonly string[] {
  return [...TYPES.keys()];
}
