import type { TLSSocket } from "node:tls";
import type { Handler } from "../http/front.ts";
import { type Admit, bearerOf } from "../http/guard.ts";
import { pathOf } from "../http/path-of.ts";
import type { Rejection } from "../http/rejection.ts";
import { secretsEqual } from "../http/secrets-equal.ts";
import { isSecure } from "../http/secure.ts";
import { signedInBy } from "../http/signed-in.ts";
import { CERTIFICATE, identify, OWNER } from "./identity.ts";
import type { LoginLog } from "./login-log.ts";
import { OpenRequests } from "./open-requests.ts";
import { type Pass, passIn } from "./pass.ts";
import { Rate } from "./rate.ts";
import { scopeOfPath } from "./rpc-scopes.ts";
import { covers, type Scope } from "./scope.ts";
import type { Token, TokenBook } from "./token-book.ts";

type Request = Parameters<Handler>[0];

/** Scopes of clients by the names in their certificates. */
export type ClientScopes = ReadonlyMap<string, Scope>;

/** The dependencies and settings of `Admission`. */
export interface AdmissionOptions {
  /** The daemon's own token, in its folder: a process that can read it controls the daemon. */
  readonly token: string;
  readonly tokens: TokenBook;
  readonly logins: LoginLog;
  readonly requestsPerSecond: number;
  /** The key that signs the passes of a cluster; undefined for a daemon that is not part of one. */
  readonly passKey?: Uint8Array | undefined;
  readonly now: () => number;
}

/** An authenticated client. */
interface Proven {
  /** The key that limits are counted by. */
  readonly key: string;
  readonly credential: string;
  readonly name: string;
  readonly scope: Scope;
  readonly untilMs: number | null;
  /** When the pass that it authenticated with expires. */
  readonly passUntilMs?: number;
}

/** How the owner of the daemon authenticated, for the audit log. */
const OWNER_METHODS: ReadonlyMap<string, string> = new Map([
  ["token", "the daemon's own token"],
  ["console", "the console"],
  ["pass", "the owner of another node"],
]);

/** After this long without a request, the next one counts as a new login. */
const LOGIN_MS = 3_600_000;
const MAX_LOGINS = 10_000;

/** Decides which requests a port admits, from whom and how often. */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #open: OpenRequests;
  readonly #rates = new Map<string, Rate>();
  /** When each client was last seen at each address. */
  readonly #seen = new Map<string, number>();

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#open = new OpenRequests(options.now);
    options.tokens.onRevoked = (id) => this.#open.endAll(id);
  }

  /** Admits requests with a valid token, or with a certificate that `clients` gives a scope. */
  at(clients: ClientScopes): Admit {
    return (request, response) => {
      const address = request.socket.remoteAddress ?? "";
      const proven = this.#prove(request, clients);
      if (!proven) return this.#refused(bearerOf(request.headers), address);
      this.#loggedIn(proven, address);
      const needed = scopeOfPath(pathOf(request));
      if (!covers(proven.scope, needed))
        return {
          status: 403,
          reason: `FORBIDDEN: this requires the scope ${needed}; yours is ${proven.scope}`,
        };
      const take = () => this.#rateOf(proven.key).take();
      if (!take()) return { status: 429, reason: "TOO_MANY: too many requests per second", retryAfter: 1 };
      if (!this.#open.begin(proven.key, [request, response], proven.untilMs))
        return { status: 429, reason: "TOO_MANY: too many open requests", retryAfter: 1 };
      const { name, scope, credential, passUntilMs } = proven;
      const hold = () => this.#open.hold(proven.key, () => {});
      identify(request, {
        ...{ name, scope, credential, take, hold },
        ...(passUntilMs !== undefined && { passUntilMs }),
      });
      return undefined;
    };
  }

  /** Identifies the sender; a token takes precedence over a certificate. */
  #prove(request: Request, clients: ClientScopes): Proven | undefined {
    const { token, tokens } = this.#options;
    const sent = bearerOf(request.headers);
    if (secretsEqual(sent, token)) return OWNER_BY_TOKEN;
    const known = tokens.find(sent);
    if (known) return provenBy(known);
    if (sent !== "") return this.#passed(sent, clients);
    const name = clients.size > 0 ? certified(request.socket as TLSSocket) : undefined;
    return this.#signedIn(request, clients) ?? certifiedAs(name, clients);
  }

  /** A client that another node has authenticated has the same identity here, as long as its original credential is valid. */
  #passed(sent: string, clients: ClientScopes): Proven | undefined {
    const { passKey, now } = this.#options;
    const pass = passKey && passIn(passKey, sent, now());
    if (!pass) return undefined;
    const proven = this.#holderOf(pass, clients, OWNER_BY_PASS);
    return proven && { ...proven, passUntilMs: pass.untilMs };
  }

  /** A signed-in browser has the identity of whoever created its link, as long as that credential is valid. */
  #signedIn(request: Request, clients: ClientScopes): Proven | undefined {
    const { headers, socket } = request;
    const { token, now } = this.#options;
    // Other ports of this machine are the same site, so the browser has to confirm that the request is from our own page.
    if (headers.origin === undefined && headers["sec-fetch-site"] !== "same-origin") return undefined;
    const place = { port: socket.localPort ?? 0, isSecure: isSecure(request) };
    const signedIn = signedInBy(token, headers, place, now());
    return signedIn && this.#holderOf(signedIn, clients, OWNER_BY_CONSOLE);
  }

  /** The holder of a credential that was checked earlier, if it is still valid. */
  #holderOf({ credential, untilMs }: Pass, clients: ClientScopes, owner: Proven): Proven | undefined {
    if (credential === "") return { ...owner, untilMs };
    if (credential.startsWith(CERTIFICATE))
      return certifiedAs(credential.slice(CERTIFICATE.length), clients, untilMs);
    const maker = this.#options.tokens.good(credential);
    return maker && { ...provenBy(maker), untilMs };
  }

  /** Failures are limited per address; a valid token is always admitted, since others may share the address. */
  #refused(sent: string, address: string): Rejection {
    if (sent === "") return { status: 401, reason: "send a token: Authorization: Bearer …" };
    const waitMs = this.#options.logins.refused(address, "a wrong, expired or revoked token");
    if (waitMs > 0)
      return { status: 429, reason: "too many wrong tokens from that address", retryAfter: waitMs / 1000 };
    return { status: 401, reason: "this token is wrong, expired or revoked" };
  }

  #loggedIn({ key, name, scope }: Proven, address: string): void {
    const { logins, now } = this.#options;
    const login = `${key} ${address}`;
    const isNew = now() - (this.#seen.get(login) ?? 0) > LOGIN_MS;
    this.#seen.delete(login);
    this.#seen.set(login, now());
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MAX_LOGINS && oldest !== undefined) this.#seen.delete(oldest);
    if (!isNew) return;
    logins.succeeded(address);
    logins.note(name || OWNER_METHODS.get(key) || key, "let in", scope, address);
  }

  #rateOf(key: string): Rate {
    const { requestsPerSecond, now } = this.#options;
    const rate = this.#rates.get(key) ?? new Rate(requestsPerSecond, now);
    this.#rates.set(key, rate);
    return rate;
  }
}

/** Admits every client of the socket file as the owner: nobody else can open it. */
export const admitOwner: Admit = (request) => {
  let held = 0;
  const hold = () => {
    if (held >= MAX_HELD_BY_OWNER) return undefined;
    held++;
    return () => {
      held--;
    };
  };
  identify(request, { ...OWNER, hold });
  return undefined;
};

/** How many sessions one stream at the socket may watch. More is a client bug that would exhaust the daemon's memory. */
const MAX_HELD_BY_OWNER = 2000;

/** The owner, authenticated by the daemon's own token, by a browser signed in with it, or by another node. */
const OWNER_BY_TOKEN: Proven = {
  key: "token",
  name: OWNER.name,
  scope: "admin",
  credential: OWNER.credential,
  untilMs: null,
};
const OWNER_BY_CONSOLE: Proven = { ...OWNER_BY_TOKEN, key: "console" };
const OWNER_BY_PASS: Proven = { ...OWNER_BY_TOKEN, key: "pass" };

const provenBy = ({ id, name, scope, expiresMs }: Token): Proven => ({
  key: id,
  name: `token ${name}`,
  scope,
  credential: id,
  untilMs: expiresMs,
});

function certifiedAs(
  name: string | undefined,
  clients: ClientScopes,
  untilMs: number | null = null,
): Proven | undefined {
  const scope = name === undefined ? undefined : clients.get(name);
  const known = `${CERTIFICATE}${name}`;
  return scope && { key: known, name: known, scope, credential: known, untilMs };
}

/** The name in the client's certificate; the handshake has already verified who signed it. */
function certified(socket: TLSSocket): string | undefined {
  const name: unknown = socket.getPeerCertificate?.().subject?.CN;
  return typeof name === "string" ? name : undefined;
}
