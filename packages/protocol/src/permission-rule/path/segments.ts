/** The names of an absolute path from the root down, without `.`, `..` and doubled slashes. */
export function toSegments(absolute: string): string[] {
  const names: string[] = [];
  for (const name of absolute.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return names;
}
