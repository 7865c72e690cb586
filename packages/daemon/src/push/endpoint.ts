import { BlockList, isIP } from "node:net";
import { parseUrl } from "@agentwire/protocol/support";
import { DaemonError } from "../errors.ts";

/** The push services of browsers; a leading dot stands for every subdomain. */
const SERVICES = [
  "fcm.googleapis.com",
  "jmt17.google.com",
  ".push.services.mozilla.com",
  ".notify.windows.com",
  ".push.apple.com",
] as const;
const MAX_CHARS = 2000;

/** The endpoint of a push service, and whether its address may be in this network. */
export interface Endpoint {
  readonly url: URL;
  /** Whether the settings name the host. */
  readonly isOwn: boolean;
}

/** Parses the endpoint of a subscription: a client must not make the daemon call an arbitrary address. Throws `INVALID_ARGUMENT`. */
export function endpointOf(text: string, ownHosts: readonly string[]): Endpoint {
  const url = text.length > MAX_CHARS ? undefined : parseUrl(text);
  if (url?.protocol !== "https:" || url.username !== "" || url.password !== "")
    throw new DaemonError("INVALID_ARGUMENT", "endpoint: give the https address of a push service");
  if (ownHosts.includes(url.host)) return { url, isOwn: true };
  const { hostname, port } = url;
  const isKnown = SERVICES.some((name) =>
    name.startsWith(".") ? hostname.endsWith(name) : hostname === name,
  );
  if (isKnown && port === "" && isIP(hostname) === 0) return { url, isOwn: false };
  throw new DaemonError(
    "INVALID_ARGUMENT",
    `endpoint: ${url.host} is not a push service that the daemon knows: name it in daemon.push_hosts if it is yours`,
  );
}

const PRIVATE = new BlockList();
for (const [net, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const)
  PRIVATE.addSubnet(net, bits, "ipv4");
for (const [net, bits] of [
  ["::", 127],
  ["64:ff9b::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const)
  PRIVATE.addSubnet(net, bits, "ipv6");

/** Whether an address is reachable on the public internet, also in its IPv6 form. */
export function isPublicAddress(address: string): boolean {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  const plain = mapped ?? address;
  const family = isIP(plain);
  return family !== 0 && !PRIVATE.check(plain, family === 4 ? "ipv4" : "ipv6");
}
