import { isIP } from "node:net";
import { dirname, resolve } from "node:path";
import {
  array,
  called,
  choice,
  closed,
  filled,
  type Infer,
  numberIn,
  object,
  optional,
  record,
} from "@agentwire/protocol/schema";
import { SCOPES, type Scope } from "../access/scope.ts";
import { isLoopback } from "../http/names.ts";
import type { TlsFiles } from "../http/tls.ts";

/** A port that the daemon listens on. */
export interface ListenSetting {
  /** An address or a name of this machine. */
  readonly host: string;
  readonly port: number;
  /** Without it, the daemon only listens on the loopback interface. */
  readonly tls?: TlsSettings | undefined;
}

/** The files of a port with TLS, and the scopes of client certificates. */
export interface TlsSettings extends TlsFiles {
  /** Scopes by the common names in certificates; other certificates need a token too. */
  readonly clients: ReadonlyMap<string, Scope>;
}

const path = (words: string) => called(words, filled);

/** `daemon.listen` in a settings file. Unknown keys are errors, since a typo would leave a port open to others. */
export const LISTEN = called(
  'a list, as in [{"host": "127.0.0.1", "port": 7433}]',
  array(
    closed(
      object({
        host: called("an address of this machine", filled),
        port: numberIn({ least: 0, most: 65_535, isWhole: true }),
        tls: optional(
          closed(
            object({
              cert: path("the path of a certificate"),
              key: path("the path of its key"),
              client_ca: optional(path("the path of an authority's certificate")),
              clients: optional(record(choice(...(Object.keys(SCOPES) as Scope[])))),
            }),
          ),
        ),
      }),
    ),
  ),
);

/** Creates an error from the location of a fault and what is expected there. */
type Wrong = (key: string, expected: string) => Error;

/** Converts `daemon.listen` to ports, with paths relative to the settings file; throws the error of `wrong` for an unsafe port. */
export function listenSettings(
  file: string,
  given: Infer<typeof LISTEN> = [],
  wrong: Wrong,
): readonly ListenSetting[] {
  return given.map(({ host, port, tls }, index) => {
    if (tls === undefined && !isThisMachine(host))
      throw wrong(
        `[${index}].tls`,
        `{"cert": …, "key": …}: without TLS, only 127.0.0.1 and ::1 are allowed, not ${host}`,
      );
    return {
      host,
      port,
      ...(tls && { tls: tlsOf(dirname(file), tls, (key, text) => wrong(`[${index}].tls${key}`, text)) }),
    };
  });
}

type Tls = NonNullable<Infer<typeof LISTEN>[number]["tls"]>;

function tlsOf(
  folder: string,
  { cert, key, client_ca: clientCa, clients = {} }: Tls,
  wrong: Wrong,
): TlsSettings {
  if (clientCa === undefined && Object.keys(clients).length > 0)
    throw wrong(".client_ca", "an authority (ca): without one, no certificate can be verified");
  return {
    cert: resolve(folder, cert),
    key: resolve(folder, key),
    clientCa: clientCa === undefined ? undefined : resolve(folder, clientCa),
    clients: new Map(Object.entries(clients)),
  };
}

/** Whether a host is the loopback interface; the address behind a name is checked again when the daemon listens. */
export const isThisMachine = (host: string): boolean =>
  isIP(host) === 0 ? host === "localhost" : isLoopback(host);
