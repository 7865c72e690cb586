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

/** What admission is made of. */
export interface AdmissionOptions {
  /** The daemon's own token, in its folder: a process that can read it controls the daemon. */
  readonly token: string;
  readonly tokens: TokenBook;
  readonly logins: LoginLog;
  readonly requestsPerSecond: number;
  /** By this the passes of a cluster are signed; undefined for a daemon that has no part in one. */
  readonly passKey?: Uint8Array | undefined;
  readonly now: () => number;
}

/** An authenticated client. */
interface Proven {
  /** What limits are counted by. */
  readonly key: string;
  readonly credential: string;
  readonly name: string;
  readonly scope: Scope;
  readonly untilMs: number | null;
  /** Until when the pass counts that it came by. */
  readonly passUntilMs?: number;
}

/** By what the owner of the daemon comes in, for the audit log. */
const OWNERS_WAYS: ReadonlyMap<string, string> = new Map([
  ["token", "the daemon's own token"],
  ["console", "the console"],
  ["pass", "the owner of another node"],
]);

/** After this long without a request, the next one counts as a new login. */
const LOGIN_MS = 3_600_000;
const MAX_LOGINS = 10_000;

/** Decides at a port who may ask what, and how often. */
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

  /** Admits requests with a valid token, or a certificate that has a scope of its own. */
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
          reason: `FORBIDDEN: this needs the scope ${needed}, and yours is ${proven.scope}`,
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

  /** Who sent it; a token has precedence over a certificate. */
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

  /** Who another node has checked has the same identity here, for as long as what it came by is valid itself. */
  #passed(sent: string, clients: ClientScopes): Proven | undefined {
    const { passKey, now } = this.#options;
    const pass = passKey && passIn(passKey, sent, now());
    if (!pass) return undefined;
    const proven = this.#holderOf(pass, clients, OWNER_BY_PASS);
    return proven && { ...proven, passUntilMs: pass.untilMs };
  }

  /** A signed-in browser has the identity that made its link, for as long as that is valid itself. */
  #signedIn(request: Request, clients: ClientScopes): Proven | undefined {
    const { headers, socket } = request;
    const { token, now } = this.#options;
    // Other ports of this machine are the same site, so the browser has to say that our own page asks.
    if (headers.origin === undefined && headers["sec-fetch-site"] !== "same-origin") return undefined;
    const place = { port: socket.localPort ?? 0, isSecure: isSecure(request) };
    const signedIn = signedInBy(token, headers, place, now());
    return signedIn && this.#holderOf(signedIn, clients, OWNER_BY_CONSOLE);
  }

  /** Who has a credential that was checked earlier, if it is still valid. */
  #holderOf({ credential, untilMs }: Pass, clients: ClientScopes, owner: Proven): Proven | undefined {
    if (credential === "") return { ...owner, untilMs };
    if (credential.startsWith(CERTIFICATE))
      return certifiedAs(credential.slice(CERTIFICATE.length), clients, untilMs);
    const maker = this.#options.tokens.good(credential);
    return maker && { ...provenBy(maker), untilMs };
  }

  /** Failures are limited by address; a valid token is admitted anyway, since others may share the address. */
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
    logins.note(name || OWNERS_WAYS.get(key) || key, "let in", scope, address);
  }

  #rateOf(key: string): Rate {
    const { requestsPerSecond, now } = this.#options;
    const rate = this.#rates.get(key) ?? new Rate(requestsPerSecond, now);
    this.#rates.set(key, rate);
    return rate;
  }
}

/** At the socket file everyone is its owner. */
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

/** What one stream at the socket may watch: more is a mistake, which would take the memory of all others. */
const MAX_HELD_BY_OWNER = 2000;

/** The owner, by the daemon's own token, by a browser that was signed in with it, and as another node knows its own. */
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

/** The name in a certificate that the authority of this place has signed. */
function certified(socket: TLSSocket): string | undefined {
  const name: unknown = socket.getPeerCertificate?.().subject?.CN;
  return typeof name === "string" ? name : undefined;
}
