import { closeSync, openSync, readSync } from "node:fs";

/**
 * The functions of `node:crypto` that the agent calls. Every turn needs ids, but most first turns need nothing else of the module, which
 * takes 0.6 MB.
 */
const real = () => require("node:crypto");

export const createHash = (...args) => real().createHash(...args);
export const randomBytes = (...args) => real().randomBytes(...args);
export const randomInt = (...args) => real().randomInt(...args);
export const timingSafeEqual = (...args) => real().timingSafeEqual(...args);

const ID_BYTES = 16;
const random = Buffer.alloc(128 * ID_BYTES);
let used = random.length;

/** A random UUID from the kernel's random numbers, or from the module on a system that does not offer them as a file. */
export function randomUUID() {
  if (used === random.length) {
    if (!fill()) return real().randomUUID();
    used = 0;
  }
  const at = used;
  used += ID_BYTES;
  // Version 4, variant 1.
  random[at + 6] = (random[at + 6] & 0x0f) | 0x40;
  random[at + 8] = (random[at + 8] & 0x3f) | 0x80;
  const hex = random.toString("hex", at, used);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
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
