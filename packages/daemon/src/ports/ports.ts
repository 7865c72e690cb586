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

/** A port that is wanted, with the certificate that it is listened at with now. */
export interface Port extends ListenSetting {
  identity: TlsIdentity | undefined;
}

/** A port that is being listened at. */
export interface OpenPort extends Listener {
  /** Reads its certificate again, for connections from now on; until when it counts, if there is one. Throws a `SettingsError`. */
  renew(): string | undefined;
  /** Where browsers find it, by hosts that it knows: the best for this machine first, and others only if it listens at every address. */
  readonly urls: readonly string[];
}

/** The ports in the configuration of a daemon. */
interface PortSettings {
  /** A port of the loopback interface. */
  readonly port: number | undefined;
  readonly listen: readonly ListenSetting[];
}

/** The ports that are wanted; throws a `SettingsError` for one that others could read or listen in at. */
export function portsOf({ port, listen: places }: PortSettings): readonly Port[] {
  const all = [...(port === undefined ? [] : [{ host: "127.0.0.1", port }]), ...places];
  return all.map((place: ListenSetting) => {
    if (!place.tls && !isThisMachine(place.host))
      throw new SettingsError(`${place.host} needs TLS: others could read the traffic`);
    return { ...place, identity: place.tls && tlsIdentity(place.tls) };
  });
}

/** What a client is told of a port that could not be opened. */
export function portError(error: unknown, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE")
    return new DaemonError("PORT_IN_USE", `another program listens at the port ${port}`, { cause: error });
  if (code === "EACCES")
    return new DaemonError("INVALID_ARGUMENT", `port: ${port} is reserved for the system`, { cause: error });
  return error;
}

/** What a port is opened for. */
interface PortOptions {
  readonly handler: Handler;
  readonly admission: Admission;
  readonly signIn: SignIn;
  readonly report: Report;
  /** The addresses at which consoles of other nodes are, and may call each other. */
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

/** How long a browser comes back with TLS only: as long as it may be signed in. */
const STRICT_SECONDS = 30 * 86_400;

/** Tells browsers to come back with TLS only. That counts for every port of a name, so it is not said of `localhost`, where others listen without. */
const secureOnly: Handler = ({ headers }, response) => {
  const name = String(headers[":authority"] ?? headers.host ?? "").replace(/:\d+$/, "");
  if (!/(?:^|\.)localhost$/i.test(name))
    response.setHeader("strict-transport-security", `max-age=${STRICT_SECONDS}`);
};

/** What a browser may load before it is signed in: the console itself, which holds no user data, and the sign-in. */
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
