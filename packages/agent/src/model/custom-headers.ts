const NAME = /^[!#$%&'*+\-.^_`|~\w]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Reads headers in the form of `ANTHROPIC_CUSTOM_HEADERS`: one `Name: value` per line. Lines that are not headers are left out. */
export function readCustomHeaders(text: string): Record<string, string> {
  const headers = new Map<string, string>();
  for (const line of text.split("\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).trim();
    const value = line.slice(colon + 1).trim();
    if (colon > 0 && NAME.test(name) && VALUE.test(value)) headers.set(name, value);
  }
  return Object.fromEntries(headers);
}
