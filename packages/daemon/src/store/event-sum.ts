import { crc32 } from "node:zlib";

const NUMBERS = 2 ** 32;

/** The checksum of a stored event: of its number and its body. */
export const eventSum = (seq: number, body: Uint8Array): number => crc32(body, seq % NUMBERS);

/** Continues the checksum of an event from that of its beginning: a wrong one stays wrong. */
export const longerSum = (sum: number, more: Uint8Array): number => crc32(more, sum);
