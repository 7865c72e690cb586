import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { createServer, type Server, type TLSSocket, type TlsOptions } from "node:tls";
import { SettingsError } from "../settings-error.ts";
import { type KnownHosts, knownByCertificate, namesOf } from "./names.ts";

/** Files in PEM form. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
  /** Connections without a certificate of this authority are rejected in the handshake. */
  readonly clientCa?: string | undefined;
}

/** A certificate with its key, ready to be used. */
export interface TlsIdentity {
  readonly options: TlsOptions;
  /** The hosts that the certificate is for. */
  readonly known: KnownHosts;
  /** Its names and addresses, as they stand in a URL. */
  readonly names: readonly string[];
  /** Until when the certificate counts. */
  readonly until: string;
}

/** How long a client may take to agree on keys. */
const HANDSHAKE_MS = 10_000;

/** Reads certificate and key; throws a `SettingsError` that says what is wrong with which file. */
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
    // What does not fit together is told before anything is listened at.
    createServer(options).close();
    const read = new X509Certificate(certificate);
    return { options, known: knownByCertificate(read), names: namesOf(read), until: read.validTo };
  } catch (cause) {
    throw new SettingsError(`${cert} and ${key} can't be used: ${(cause as Error).message}`, { cause });
  }
}

/** A server that passes on connections when they are secure, with what the client wants to speak. */
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
