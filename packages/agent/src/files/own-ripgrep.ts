let found: Promise<string | undefined> | undefined;

/** The path of the ripgrep that comes with the agent; undefined on platforms for which there is none. */
export function ownRipgrep(): Promise<string | undefined> {
  found ??= import("@vscode/ripgrep").then(
    ({ rgPath }) => rgPath,
    () => undefined,
  );
  return found;
}
