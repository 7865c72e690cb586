/** The program that lists files and searches them: the installed dependency, or the one on PATH. */
export const ripgrep = (): Promise<string> =>
  import("@vscode/ripgrep").then(
    ({ rgPath }) => rgPath,
    () => "rg",
  );
