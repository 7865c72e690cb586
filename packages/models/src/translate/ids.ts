import { randomBytes } from "node:crypto";

const LETTERS = "ABCDEFGHIJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz123456789";
const LENGTH = 22;

/** A new id in the form of the Messages API: `msg_01…`, `req_01…`, `toolu_01…`. */
export function newId(prefix: "msg" | "req" | "toolu"): string {
  const letters = Array.from(randomBytes(LENGTH), (byte) => LETTERS[byte % LETTERS.length]);
  return `${prefix}_01${letters.join("")}`;
}

/** What the Messages API takes as the id of a tool call. */
const USABLE = /^[a-zA-Z0-9_-]{1,64}$/;

/** A provider's id of a tool call, or a new one where it gives none, an odd one, or one that was there before. */
export function toolId(given: string | undefined, used: ReadonlySet<string>): string {
  return given !== undefined && USABLE.test(given) && !used.has(given) ? given : newId("toolu");
}
