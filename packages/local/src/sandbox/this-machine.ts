import { isIP } from "node:net";
import { networkInterfaces } from "node:os";

/** Address ranges of this machine and of the endpoints at which clouds hand out credentials. */
const RANGES = ["127.0.0.0/8", "0.0.0.0/8", "169.254.0.0/16", "::1/128", "::/128", "fe80::/10"];
const NAMES = /^(?:localhost|.*\.localhost|127\..*|0\..*|169\.254\..*|metadata\.google\.internal)$/i;
const ADDRESSES_6 = /^(?:::1?|fe[89ab].*|::ffff:.*|fd00:ec2::254)$/i;

/** Addresses that no hostname may resolve to for a command: whoever controls the name could point it at this machine. */
export function closedAddresses(): readonly string[] {
  return [...RANGES, ...ownAddresses().map((address) => `${address}/${isIP(address) === 6 ? 128 : 32}`)];
}

/** Whether a lowercase name or address means this machine or a cloud's credential endpoint; only a setting can open those. */
export function isThisMachine(host: string): boolean {
  return (isIP(host) === 6 ? ADDRESSES_6.test(host) : NAMES.test(host)) || ownAddresses().includes(host);
}

function ownAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return [...new Set(all.map(({ address }) => address.toLowerCase()))];
}
