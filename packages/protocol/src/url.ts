/**
 * An address, if it is one. Not by `URL.canParse`: Node 20 takes addresses with letters beyond ASCII for invalid there, from the
 * moment on that its caller is compiled.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
