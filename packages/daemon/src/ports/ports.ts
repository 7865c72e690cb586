import type { Admission } from "../access/admission.ts";
import { PAGE_SCOPES } from "../access/rpc-scopes.ts";
import type { Report } from "../boundary.ts";
import { DaemonError } from "../errors.ts";
import type { KnownOrigin } from "../http/cross-origin.ts";
import { type Handler, type Listener, listen } from "../http/front.ts";
import { guarded, type PublicHandler } from "../http/guard.ts";
import { knownLocally } from "../http/names.ts";
import { pathOf } from "../http/path-of.ts";
import { consoleFolder, staticFiles } from "../http/static-files.ts";
import { type TlsIdentity, tlsIdentity } from "../http/tls.ts";
import { SettingsError } from "../settings-error.ts";
import { isThisMachine, type ListenSetting } from "./listen-setting.ts";
import { urlsOf } from "./port-urls.ts";
import type { SignIn } from "./sign-in.ts";

/** A configured port, with its current certificate. */
export interface Port extends ListenSetting {
  identity: TlsIdentity | undefined;
}

/** A port that is open. */
export interface OpenPort extends Listener {
  /** Rereads its certificate, for new connections; returns its expiry, if it has one. Throws a `SettingsError`. */
  renew(): string | undefined;
  /** Its URLs by known hosts: the best one for this machine first, and others only if it listens on all addresses. */
  readonly urls: readonly string[];
}

/** The ports in the configuration of a daemon. */
interface PortSettings {
  /** A port on the loopback interface. */
  readonly port: number | undefined;
  readonly listen: readonly ListenSetting[];
}

/** The configured ports; throws a `SettingsError` for one reachable from other machines without TLS, whose traffic others could read. */
export function portsOf({ port, listen: places }: PortSettings): readonly Port[] {
  const all = [...(port === undefined ? [] : [{ host: "127.0.0.1", port }]), ...places];
  return all.map((place: ListenSetting) => {
    if (!place.tls && !isThisMachine(place.host))
      throw new SettingsError(`${place.host} needs TLS: others could read the traffic`);
    return { ...place, identity: place.tls && tlsIdentity(place.tls) };
  });
}

/** The error for a client whose port could not be opened. */
export function portError(error: unknown, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE")
    return new DaemonError("PORT_IN_USE", `another program is listening on port ${port}`, { cause: error });
  if (code === "EACCES")
    return new DaemonError("INVALID_ARGUMENT", `port: ${port} is reserved for the system`, { cause: error });
  return error;
}

/** The purpose of an open port. */
interface PortOptions {
  readonly handler: Handler;
  readonly admission: Admission;
  readonly signIn: SignIn;
  readonly report: Report;
  /** The origins of other nodes' consoles, which may call this one. */
  readonly origins: () => ReadonlySet<string>;
}

/** Listens for clients with a token or a certificate, and for signed-in browsers. */
export async function openPort(
  at: Port,
  { handler, admission, signIn, report, origins }: PortOptions,
): Promise<OpenPort> {
  const { host, port, tls } = at;
  const admit = admission.at(tls?.clients ?? new Map());
  const open = publicPages(signIn, origins);
  const isOfCluster: KnownOrigin = (origin) => origins().has(origin);
  const guard: Handler = (request, response) => {
    const known = at.identity?.known ?? knownLocally(request.socket.localPort ?? 0, host);
    if (tls) secureOnly(request, response);
    guarded(handler, known, admit, open, isOfCluster)(request, response);
  };
  const listener = await listen({ host, port, tls: at.identity?.options }, guard, report);
  const renew = () => {
    if (!tls) return undefined;
    const identity = tlsIdentity(tls);
    listener.secure?.(identity.options);
    at.identity = identity;
    return identity.until;
  };
  return {
    ...listener,
    renew,
    get urls() {
      return urlsOf(listener.address, at);
    },
  };
}

/** For how long a browser uses only TLS: as long as it may be signed in. */
const STRICT_SECONDS = 30 * 86_400;

/** Tells browsers to use only TLS. This applies to every port of a host name, so it is not sent for `localhost`, which has other servers. */
const secureOnly: Handler = ({ headers }, response) => {
  const name = String(headers[":authority"] ?? headers.host ?? "").replace(/:\d+$/, "");
  if (!/(?:^|\.)localhost$/i.test(name))
    response.setHeader("strict-transport-security", `max-age=${STRICT_SECONDS}`);
};

/** What a browser may load before it is signed in: the console, which contains no user data, and the sign-in. */
function publicPages(signIn: SignIn, origins: PortOptions["origins"]): PublicHandler {
  const files = staticFiles(consoleFolder(), origins);
  return (request) => {
    const { method } = request;
    const path = pathOf(request);
    if (PAGE_SCOPES.has(path)) return undefined;
    if (method === "GET" || method === "HEAD") return files;
    return method === "POST" && path === "/sign-in" ? signIn.handler : undefined;
  };
}
