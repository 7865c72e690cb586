/** A path as people in a folder say it: what is inside begins there. */
export function within(path: string, folder: string): string {
  const start = folder.endsWith("/") ? folder : `${folder}/`;
  return folder !== "" && path.startsWith(start) ? path.slice(start.length) : path;
}
