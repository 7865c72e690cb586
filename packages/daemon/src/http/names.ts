import type { X509Certificate } from "node:crypto";
import { isIP } from "node:net";

/** The hosts by which a daemon is known, as spelled in the `host` header. */
export interface KnownHosts {
  readonly knows: (host: string) => boolean;
  /**
   * The error text for other hosts. Anyone may see it, including a page whose name was made to point here: the names of the loopback
   * interface are public, and those of a certificate are part of every handshake.
   */
  readonly advice: string;
}

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"] as const;

/** How many names are listed. */
const MAX_NAMES = 10;

const shortened = (names: readonly string[]) =>
  names.length > MAX_NAMES ? [...names.slice(0, MAX_NAMES), `${names.length - MAX_NAMES} more`] : names;

const either = (names: readonly string[]) =>
  names.length > 1 ? `${names.slice(0, -1).join(", ")} or ${names.at(-1)}` : (names[0] ?? "none");

/** The names of a port on a loopback address; foreign DNS names that point to it are excluded. */
export function knownLocally(port: number, address: string): KnownHosts {
  const names = [...new Set([...LOOPBACK, address.includes(":") ? `[${address}]` : address])];
  return {
    knows: (host) => names.some((name) => host === `${name}:${port}` || (port === 80 && host === name)),
    advice: `it is known as ${either(names.map((name) => `${name}:${port}`))}; for others, give it a port with a certificate: daemon.listen in its settings.json`,
  };
}

/** The names in a certificate; the port does not matter, since another one may be forwarded. */
export const knownByCertificate = (certificate: X509Certificate): KnownHosts => ({
  knows: (host) => {
    const name = nameIn(host);
    if (isIP(name) !== 0) return certificate.checkIP(name) !== undefined;
    return certificate.checkHost(name, { subject: "never" }) !== undefined;
  },
  advice: `it is known by the names in its certificate: ${either(shortened(namesOf(certificate)))}; for others, give it a certificate with them: daemon.listen in its settings.json`,
});

/** The names for browsers at the socket, which they can reach through a forwarded port of this machine. */
export const knownAtSocket: KnownHosts = {
  knows: (host) => /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/.test(host),
  advice: `it is known as ${either(LOOPBACK)}`,
};

/** The names and addresses in a certificate, as spelled in a URL. */
export function namesOf({ subjectAltName = "" }: X509Certificate): readonly string[] {
  return subjectAltName.split(", ").flatMap((entry) => {
    const [, kind, name = ""] = /^(DNS|IP Address):([\w.:*-]+)$/.exec(entry) ?? [];
    if (kind === undefined) return [];
    return isIP(name) === 6 ? [`[${name.toLowerCase()}]`] : [name];
  });
}

/** Removes the port; an invalid port stays, so that the name matches nothing. */
const nameIn = (host: string) =>
  host.replace(/:(\d{1,5})$/, (all, port) => (Number(port) > 65_535 ? all : "")).replace(/^\[(.*)\]$/, "$1");

/** Whether an address is a loopback address. */
export function isLoopback(address: string): boolean {
  return address === "::1" || /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(address);
}
