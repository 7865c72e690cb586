import type { IncomingHttpHeaders } from "node:http";
import type { TLSSocket } from "node:tls";
import type { Handler } from "../http/front.ts";
import { type Admit, bearerOf } from "../http/guard.ts";
import { pathOf } from "../http/path-of.ts";
import type { Refusal } from "../http/refusal.ts";
import { isSame } from "../http/same.ts";
import { cookieFor, cookieOf } from "../http/sign-in-cookie.ts";
import type { Audit } from "../store/audit-log.ts";
import type { Writer } from "../store/writer.ts";
import { FailedLogins } from "./failed-logins.ts";
import { identify, OWNER } from "./identity.ts";
import { OpenRequests } from "./open-requests.ts";
import { Rate } from "./rate.ts";
import { neededAt } from "./rpc-scopes.ts";
import { covers, type Scope } from "./scope.ts";
import type { TokenBook } from "./token-book.ts";

type Request = Parameters<Handler>[0];

/** Scopes of clients by the names in their certificates. */
export type ClientScopes = ReadonlyMap<string, Scope>;

/** What admission is made of. */
export interface AdmissionOptions {
  /** The daemon's own token, in its folder: whoever can read it owns the daemon. */
  readonly token: string;
  readonly tokens: TokenBook;
  readonly writer: Writer;
  readonly audit: Audit;
  readonly requestsPerSecond: number;
  readonly now: () => number;
}

/** Somebody who has proven who they are. */
interface Proven {
  readonly key: string;
  readonly name: string;
  readonly scope: Scope;
  readonly untilMs: number | null;
}

/** By what the owner of the daemon comes in, for the audit log. */
const OWNERS_WAYS: ReadonlyMap<string, string> = new Map([
  ["token", "the daemon's own token"],
  ["console", "the console"],
]);

/** After so long without a request, the next one is a login again. */
const LOGIN_MS = 3_600_000;
const MAX_LOGINS = 10_000;
/** How many failures a second are written down, wherever they come from: nobody fills the disk with them. */
const NOTED_FAILURES = 10;

/** Decides at a port who may ask what, and how often. */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #failures: FailedLogins;
  readonly #notedFailures: Rate;
  readonly #open: OpenRequests;
  readonly #rates = new Map<string, Rate>();
  /** When each client was last seen at each address. */
  readonly #logins = new Map<string, number>();

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#failures = new FailedLogins(options.now);
    this.#notedFailures = new Rate(NOTED_FAILURES, options.now);
    this.#open = new OpenRequests(options.now);
    options.tokens.onRevoked = (id) => this.#open.endAll(id);
  }

  /** Lets in whoever has a token, or a certificate that has a scope of its own. */
  at(clients: ClientScopes): Admit {
    return (request, response) => {
      const address = request.socket.remoteAddress ?? "";
      const proven = this.#prove(request, clients);
      if (!proven) return this.#refused(bearerOf(request.headers), address);
      this.#loggedIn(proven, address);
      const needed = neededAt(pathOf(request));
      if (!covers(proven.scope, needed))
        return {
          status: 403,
          reason: `FORBIDDEN: this needs the scope ${needed}, and yours is ${proven.scope}`,
        };
      const take = () => this.#rateOf(proven.key).take();
      if (!take()) return { status: 429, reason: "TOO_MANY: too many requests a second", retryAfter: 1 };
      if (!this.#open.begin(proven.key, [request, response], proven.untilMs))
        return { status: 429, reason: "TOO_MANY: too many requests are open", retryAfter: 1 };
      identify(request, { name: proven.name, scope: proven.scope, take });
      return undefined;
    };
  }

  /** Who sent it; whoever sends a token is judged by that. */
  #prove({ headers, socket }: Request, clients: ClientScopes): Proven | undefined {
    const { token, tokens } = this.#options;
    const sent = bearerOf(headers);
    if (isSame(sent, token)) return { key: "token", name: OWNER.name, scope: "admin", untilMs: null };
    const known = tokens.find(sent);
    if (known)
      return {
        key: known.id,
        name: `token ${known.name}`,
        scope: known.scope,
        untilMs: known.expiresMs,
      };
    if (sent === "" && isSignedIn(headers, socket.localPort ?? 0, token))
      return { key: "console", name: OWNER.name, scope: "admin", untilMs: null };
    const name = sent === "" && clients.size > 0 ? certified(socket as TLSSocket) : undefined;
    const scope = name === undefined ? undefined : clients.get(name);
    return scope && { key: `certificate ${name}`, name: `certificate ${name}`, scope, untilMs: null };
  }

  /** What was wrong is told only so often; what is right is let in all the same, for others may be at the same address. */
  #refused(sent: string, address: string): Refusal {
    const missing = { status: 401, reason: "send a token: Authorization: Bearer …" } as const;
    if (sent === "") return missing;
    const waitMs = this.#failures.waitMs(address);
    if (waitMs > 0)
      return { status: 429, reason: "too many wrong tokens came from there", retryAfter: waitMs / 1000 };
    this.#failures.failed(address);
    if (this.#notedFailures.take())
      this.#note("somebody", "refused", "a token that is wrong, has expired or was revoked", address);
    return { status: 401, reason: "this token is wrong, has expired or was revoked" };
  }

  #loggedIn({ key, name, scope }: Proven, address: string): void {
    const login = `${key} ${address}`;
    const now = this.#options.now();
    const isNew = now - (this.#logins.get(login) ?? 0) > LOGIN_MS;
    this.#logins.delete(login);
    this.#logins.set(login, now);
    const [oldest] = this.#logins.keys();
    if (this.#logins.size > MAX_LOGINS && oldest !== undefined) this.#logins.delete(oldest);
    if (!isNew) return;
    this.#failures.succeeded(address);
    this.#note(name || OWNERS_WAYS.get(key) || key, "let in", scope, address);
  }

  #note(actor: string, action: string, detail: string, subject: string): void {
    const { writer, audit } = this.#options;
    // A full disk keeps this waiting, not the client.
    writer.keep([audit({ kind: "login", actor, action, subject, detail })]).catch(() => {});
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
  identify(request, OWNER);
  return undefined;
};

/** A cookie counts only where the browser says that our own page asks: other ports of this machine are the same site. */
function isSignedIn(headers: IncomingHttpHeaders, port: number, token: string): boolean {
  const isOwnPage = headers.origin !== undefined || headers["sec-fetch-site"] === "same-origin";
  return isOwnPage && isSame(cookieOf(headers, port), cookieFor(token));
}

/** The name in a certificate that the authority of this place has signed. */
function certified(socket: TLSSocket): string | undefined {
  const name: unknown = socket.getPeerCertificate?.().subject?.CN;
  return typeof name === "string" ? name : undefined;
}
