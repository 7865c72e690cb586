import { crc32 } from "node:zlib";

const NUMBERS = 2 ** 32;

/** The checksum of a stored event: of its number and its body. */
export const eventSum = (seq: number, body: Uint8Array): number => crc32(body, seq % NUMBERS);

/** The checksum of an event whose body goes on, from that of its beginning: one that was wrong stays wrong. */
export const longerSum = (sum: number, more: Uint8Array): number => crc32(more, sum);
