import { hostname } from "node:os";
import type { Port } from "./ports.ts";

/** The loopback hosts for a listener on all addresses. */
const LOOPBACK: Readonly<Record<string, readonly string[]>> = {
  "0.0.0.0": ["localhost", "127.0.0.1"],
  "::": ["localhost", "127.0.0.1", "[::1]"],
};

/**
 * The URLs at which a port answers, the best one for this machine first: browsers can't connect to `0.0.0.0`, and the daemon
 * answers only to the names in its certificate.
 */
export function urlsOf(
  address: string,
  { host, identity }: Pick<Port, "host" | "identity">,
): readonly string[] {
  if (!identity) return [address];
  const { known, names } = identity;
  const { protocol, port, hostname: own } = new URL(address);
  const everywhere = LOOPBACK[host];
  const wanted = everywhere ? [...everywhere, hostname().toLowerCase(), ...names] : [own, ...names];
  const hosts = [...new Set(wanted)].filter((name) => !name.includes("*") && known.knows(name));
  const [first = everywhere?.[0] ?? own, ...others] = hosts;
  const elsewhere = others.filter((name) => !everywhere?.includes(name));
  return [first, ...(everywhere ? elsewhere : [])].map((name) => `${protocol}//${name}:${port}`);
}
