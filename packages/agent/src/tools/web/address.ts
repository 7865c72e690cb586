import { BlockList, isIP } from "node:net";

const LOOPBACK = blockList([
  ["127.0.0.0", 8, "ipv4"],
  ["::1", 128, "ipv6"],
]);

// Cloud machines expose credentials at such addresses, and nothing there is meant for people.
const REFUSED = blockList([
  ["0.0.0.0", 8, "ipv4"],
  ["169.254.0.0", 16, "ipv4"],
  ["100.100.100.200", 32, "ipv4"],
  ["192.0.0.192", 32, "ipv4"],
  ["224.0.0.0", 3, "ipv4"],
  ["::", 128, "ipv6"],
  ["fe80::", 10, "ipv6"],
  ["fd00:ec2::", 32, "ipv6"],
  ["ff00::", 8, "ipv6"],
]);

/** Whether the host name of a URL refers to this machine. */
export function isLoopbackName(hostname: string): boolean {
  const name = bare(hostname);
  return name === "localhost" || name.endsWith(".localhost") || isIn(LOOPBACK, name);
}

/** Why a host must not be contacted at one of its addresses. */
export function refuseAddress(hostname: string, address: string): string | undefined {
  const bareAddress = bare(address);
  if (isIn(REFUSED, bareAddress))
    return `${hostname} is at ${bareAddress}, an address that is not fetched from`;
  // External names that resolve to this machine are how foreign pages reach local servers.
  if (isIn(LOOPBACK, bareAddress) && !isLoopbackName(hostname)) return `${hostname} leads to this machine`;
  return undefined;
}

/** Why the host of a URL must not be contacted, as far as its name tells. */
export function refuseHost(hostname: string): string | undefined {
  const name = bare(hostname);
  if (name === "metadata.google.internal") return `${name} is not fetched from`;
  return isIP(name) === 0 ? undefined : refuseAddress(hostname, name);
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

function isIn(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? "ipv4" : "ipv6");
}

function blockList(nets: readonly (readonly [string, number, "ipv4" | "ipv6"])[]): BlockList {
  const list = new BlockList();
  for (const [net, prefix, type] of nets) list.addSubnet(net, prefix, type);
  return list;
}
