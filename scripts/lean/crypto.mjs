import { closeSync, openSync, readSync } from "node:fs";

/**
 * The functions of `node:crypto` that the agent calls. Every turn needs ids, but most first turns need nothing else of the module, which
 * takes 0.6 MB.
 */
const real = () => require("node:crypto");

export const createHash = (...args) => real().createHash(...args);
export const randomInt = (...args) => real().randomInt(...args);
export const timingSafeEqual = (...args) => real().timingSafeEqual(...args);

const random = Buffer.alloc(2048);
let used = random.length;

/** The kernel's random numbers, or the module's if there are many or on a system that does not offer them as a file. */
export function randomBytes(count) {
  const bytes = next(count);
  return bytes ? Buffer.from(bytes) : real().randomBytes(count);
}

/** A random UUID from the same numbers. */
export function randomUUID() {
  const bytes = next(16);
  if (!bytes) return real().randomUUID();
  // Version 4, variant 1.
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Bytes that no other call gets; they must be copied, because their memory is used again. */
function next(count) {
  if (used + count > random.length) {
    if (count > random.length || !fill()) return undefined;
    used = 0;
  }
  used += count;
  return random.subarray(used - count, used);
}

function fill() {
  let file;
  try {
    file = openSync("/dev/urandom", "r");
    return readSync(file, random) === random.length;
  } catch {
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
