/** The folders of a scenario. */
export interface Folders {
  readonly root: string;
  readonly cwd: string;
  readonly home: string;
  readonly tmp: string;
}

/** Names folders of this machine as the recordings do, even where they are part of a file name. */
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

/** How agents make a folder name out of a path. */
const dashed = (path: string) => path.replace(/[^a-zA-Z0-9]/g, "-");
