/**
 * Parses an address; undefined if it is not one. Does not use `URL.canParse`: in Node 20 it rejects addresses
 * with non-ASCII letters as soon as its caller has been compiled.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
