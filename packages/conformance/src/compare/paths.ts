/** The folders of a scenario. */
export interface Folders {
  readonly root: string;
  readonly cwd: string;
  readonly home: string;
  readonly tmp: string;
}

/** Replaces folders of this machine with the names in the recordings, even within file names. */
export function pathReplacer({ root, cwd, home, tmp }: Folders): (text: string) => string {
  const names: readonly (readonly [string, string])[] = [
    [cwd, "/project"],
    [home, "/home/user"],
    [tmp, "/tmp"],
    [root, "/scenario"],
  ];
  const pairs = [...names, ...names.map(([path, name]) => [dashed(path), dashed(name)] as const)];
  return (text) =>
    pairs
      .reduce((replaced, [path, name]) => replaced.replaceAll(path, name), text)
      .replace(/\/tmp\/claude-\d+\//g, "/tmp/claude-uid/");
}

/** How agents turn a path into a folder name. */
const dashed = (path: string) => path.replace(/[^a-zA-Z0-9]/g, "-");
