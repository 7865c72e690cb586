import { randomBytes } from "node:crypto";

const LETTERS = "ABCDEFGHIJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz123456789";
const LENGTH = 22;

/** Creates an id in the format of the Messages API: `msg_01…`, `req_01…`, `toolu_01…`. */
export function newId(prefix: "msg" | "req" | "toolu"): string {
  const letters = Array.from(randomBytes(LENGTH), (byte) => LETTERS[byte % LETTERS.length]);
  return `${prefix}_01${letters.join("")}`;
}

/** The tool call ids that the Messages API accepts. */
const USABLE = /^[a-zA-Z0-9_-]{1,64}$/;

/** A provider's id for a tool call, or a new one if it is missing, not accepted, or already used. */
export function toolId(given: string | undefined, used: ReadonlySet<string>): string {
  return given !== undefined && USABLE.test(given) && !used.has(given) ? given : newId("toolu");
}
