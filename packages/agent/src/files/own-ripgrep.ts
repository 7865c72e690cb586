let found: Promise<string | undefined> | undefined;

/** The path of the ripgrep that is installed with the agent; undefined on platforms without one. */
export function ownRipgrep(): Promise<string | undefined> {
  found ??= import("@vscode/ripgrep").then(
    ({ rgPath }) => rgPath,
    () => undefined,
  );
  return found;
}
