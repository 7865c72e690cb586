import { crc32 } from "node:zlib";

const NUMBERS = 2 ** 32;

/** The checksum of a stored event's number and body. */
export const eventSum = (seq: number, body: Uint8Array): number => crc32(body, seq % NUMBERS);

/** Extends the checksum of the beginning of an event: a wrong one stays wrong. */
export const longerSum = (sum: number, more: Uint8Array): number => crc32(more, sum);
