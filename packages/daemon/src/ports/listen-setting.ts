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

const path = (words: string) => called(words, filled);

/** `daemon.listen` in a settings file. What is misspelt here would leave a port open to others. */
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

/** Makes an error of where something is wrong and what is expected there. */
type Wrong = (key: string, expected: string) => Error;

/** Makes ports of `daemon.listen`, whose paths start from the settings file; throws what `wrong` makes where one of them is not safe. */
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

/** Whether a host is of this machine alone; what a name points to is looked at again when it is listened at. */
export const isThisMachine = (host: string): boolean =>
  isIP(host) === 0 ? host === "localhost" : isLoopback(host);
