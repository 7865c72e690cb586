import type { X509Certificate } from "node:crypto";
import { isIP } from "node:net";

/** Whether a daemon is known by a host, as it stands in the header of that name. */
export type HostNameCheck = (host: string) => boolean;

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"] as const;

/** The names of a port on this machine; a foreign DNS name that points to it is not among them. */
export const knownLocally =
  (port: number): HostNameCheck =>
  (host) =>
    LOOPBACK.some((name) => host === `${name}:${port}` || (port === 80 && host === name));

/** The names that a certificate is for; at which port is of no matter, for there may be a forwarding one. */
export const knownByCertificate =
  (certificate: X509Certificate): HostNameCheck =>
  (host) => {
    const name = nameIn(host);
    if (isIP(name) !== 0) return certificate.checkIP(name) !== undefined;
    return certificate.checkHost(name, { subject: "never" }) !== undefined;
  };

/** At the socket only browsers matter, which can get there by a forwarded port of this machine. */
export const knownAtSocket: HostNameCheck = (host) =>
  /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/.test(host);

/** Without the port; an invalid port stays, so the name matches nothing. */
const nameIn = (host: string) =>
  host.replace(/:(\d{1,5})$/, (all, port) => (Number(port) > 65_535 ? all : "")).replace(/^\[(.*)\]$/, "$1");

/** Whether an address is of this machine alone. */
export function isLoopback(address: string): boolean {
  return address === "::1" || /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(address);
}
