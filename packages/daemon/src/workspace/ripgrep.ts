/** The program that lists files and finds words in them: the one that was installed along, or the one on PATH. */
export const ripgrep = (): Promise<string> =>
  import("@vscode/ripgrep").then(
    ({ rgPath }) => rgPath,
    () => "rg",
  );
