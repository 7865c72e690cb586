import { createHash, timingSafeEqual } from "node:crypto";

/** Compares secrets in constant time, without revealing their length; an empty `expected` matches nothing. */
export function secretsEqual(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return expected !== "" && timingSafeEqual(digest(given), digest(expected));
}
