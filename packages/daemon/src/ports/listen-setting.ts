import { isIP } from "node:net";
import { dirname, resolve } from "node:path";
import { isJsonObject } from "@agentwire/protocol";
import { isScope, SCOPES, type Scope } from "../access/scope.ts";
import { isLoopback } from "../http/names.ts";
import type { TlsFiles } from "../http/tls.ts";

/** A port that the daemon was told to listen at. */
export interface ListenSetting {
  /** An address of this machine, or a name of it. */
  readonly host: string;
  readonly port: number;
  /** Without it only the loopback interface is listened at. */
  readonly tls?: TlsSettings | undefined;
}

/** The files of a port with TLS, and who may do what by a certificate alone. */
export interface TlsSettings extends TlsFiles {
  /** Scopes by the common names in certificates; the others need a token too. */
  readonly clients: ReadonlyMap<string, Scope>;
}

/** Makes an error of where something is wrong and what is expected there. */
type Wrong = (key: string, expected: string) => Error;

/** Reads `daemon.listen` of a settings file; throws what `wrong` makes. */
export function readListenSettings(file: string, value: unknown, wrong: Wrong): readonly ListenSetting[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw wrong("", 'a list, as in [{"host": "127.0.0.1", "port": 7433}]');
  return value.map((item: unknown, index) =>
    placeOf(dirname(file), item, (key, expected) => wrong(`[${index}]${key}`, expected)),
  );
}

function placeOf(folder: string, value: unknown, wrong: Wrong): ListenSetting {
  if (!isJsonObject(value)) throw wrong("", 'an object, as in {"host": "127.0.0.1", "port": 7433}');
  mustKnow(value, ["host", "port", "tls"], wrong);
  const { host, port, tls } = value;
  if (typeof host !== "string" || host === "") throw wrong(".host", "an address of this machine");
  if (typeof port !== "number" || !Number.isInteger(port) || port < 0 || port > 65_535)
    throw wrong(".port", "a whole number from 0 to 65535");
  if (tls === undefined && !isThisMachine(host))
    throw wrong(
      ".tls",
      `{"cert": …, "key": …}: without TLS, only 127.0.0.1 and ::1 are allowed, not ${host}`,
    );
  return {
    host,
    port,
    ...(tls !== undefined && { tls: tlsOf(folder, tls, (key, text) => wrong(`.tls${key}`, text)) }),
  };
}

function tlsOf(folder: string, value: unknown, wrong: Wrong): TlsSettings {
  if (!isJsonObject(value)) throw wrong("", 'an object, as in {"cert": "cert.pem", "key": "key.pem"}');
  mustKnow(value, ["cert", "key", "client_ca", "clients"], wrong);
  const { cert, key, client_ca: clientCa, clients = {} } = value;
  if (typeof cert !== "string" || cert === "") throw wrong(".cert", "the path of a certificate");
  if (typeof key !== "string" || key === "") throw wrong(".key", "the path of its key");
  if (clientCa !== undefined && typeof clientCa !== "string")
    throw wrong(".client_ca", "the path of an authority's certificate");
  if (!isJsonObject(clients) || !Object.values(clients).every(isScope))
    throw wrong(".clients", `an object of names and scopes (${Object.keys(SCOPES).join(", ")})`);
  if (clientCa === undefined && Object.keys(clients).length > 0)
    throw wrong(".client_ca", "an authority (ca): without one, no certificate can be verified");
  return {
    cert: resolve(folder, cert),
    key: resolve(folder, key),
    clientCa: clientCa === undefined ? undefined : resolve(folder, clientCa),
    clients: new Map(Object.entries(clients as Readonly<Record<string, Scope>>)),
  };
}

/** What is misspelt here would leave a door open. */
function mustKnow(value: object, keys: readonly string[], wrong: Wrong): void {
  const unknown = Object.keys(value).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw wrong(`.${unknown}`, `none but ${keys.join(", ")}`);
}

/** Whether a host is of this machine alone; what a name points to is looked at again when it is listened at. */
export const isThisMachine = (host: string): boolean =>
  isIP(host) === 0 ? host === "localhost" : isLoopback(host);
