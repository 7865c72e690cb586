import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { createServer, type Server, type TLSSocket, type TlsOptions } from "node:tls";
import { SettingsError } from "../settings-error.ts";
import { type KnownHosts, knownByCertificate, namesOf } from "./names.ts";

/** Paths of files in PEM format. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
  /** Connections without a certificate of this authority are rejected in the handshake. */
  readonly clientCa?: string | undefined;
}

/** A certificate with its key, ready for use. */
export interface TlsIdentity {
  readonly options: TlsOptions;
  /** The hosts that the certificate covers. */
  readonly known: KnownHosts;
  /** Its names and addresses, as spelled in a URL. */
  readonly names: readonly string[];
  /** When the certificate expires. */
  readonly until: string;
}

/** How long a client may take for the TLS handshake. */
const HANDSHAKE_MS = 10_000;

/** Reads a certificate and its key; throws a `SettingsError` that names the faulty file and the reason. */
export function tlsIdentity({ cert, key, clientCa }: TlsFiles): TlsIdentity {
  mustBePrivate(key);
  const certificate = contentOf(cert);
  const options: TlsOptions = {
    cert: certificate,
    key: contentOf(key),
    minVersion: "TLSv1.2",
    ALPNProtocols: ["h2", "http/1.1"],
    handshakeTimeout: HANDSHAKE_MS,
    ...(clientCa !== undefined && { ca: contentOf(clientCa), requestCert: true, rejectUnauthorized: true }),
  };
  try {
    // Detects a mismatch before listening on anything.
    createServer(options).close();
    const read = new X509Certificate(certificate);
    return { options, known: knownByCertificate(read), names: namesOf(read), until: read.validTo };
  } catch (cause) {
    throw new SettingsError(`${cert} and ${key} can't be used: ${(cause as Error).message}`, { cause });
  }
}

/** A server that passes on connections after the handshake, with the protocol that was negotiated. */
export function tlsServer(
  options: TlsOptions,
  onSecure: (socket: TLSSocket, isHttp2: boolean) => void,
): Server {
  return createServer(options, (socket) => onSecure(socket, socket.alpnProtocol === "h2"));
}

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new SettingsError(`${path} can't be read: ${(cause as Error).message}`, { cause });
  }
}

function mustBePrivate(key: string): void {
  const mode = statSync(key, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o007) !== 0) throw new SettingsError(`everyone can read the key ${key}: chmod 600 ${key}`);
}
