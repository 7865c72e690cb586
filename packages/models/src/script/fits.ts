/** Whether a value has everything that a pattern has; lists fit item by item, up to the length of the pattern's. */
export function fits(pattern: unknown, value: unknown): boolean {
  if (typeof pattern !== "object" || pattern === null) return Object.is(pattern, value);
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(pattern) !== Array.isArray(value)) return false;
  const given = value as Readonly<Record<string, unknown>>;
  return Object.entries(pattern).every(([key, part]) => Object.hasOwn(given, key) && fits(part, given[key]));
}
