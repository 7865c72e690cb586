/** A path relative to a folder if it is inside that folder; otherwise unchanged. */
export function within(path: string, folder: string): string {
  const start = folder.endsWith("/") ? folder : `${folder}/`;
  return folder !== "" && path.startsWith(start) ? path.slice(start.length) : path;
}
