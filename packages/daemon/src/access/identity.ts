import { createContextKey } from "@connectrpc/connect";
import { DaemonError } from "../errors.ts";
import { covers, type Scope } from "./scope.ts";

/** Who a request comes from, as far as that is proven. */
export interface Identity {
  /** For people: `token laptop`, `certificate phone`; empty for the owner of the daemon. */
  readonly name: string;
  readonly scope: Scope;
  /** The id of the token, or the certificate, that it came by: links that it makes end with that. Empty for the owner. */
  readonly credential: string;
  /** Until when the pass counts that it came by; undefined if it came by none. */
  readonly passUntilMs?: number;
  /** Counts a command; false when there were too many of late. */
  readonly take: () => boolean;
  /** Counts what stays open within a request, such as each session that a stream watches, until the returned function is called; undefined when there is too much. */
  readonly hold: () => (() => void) | undefined;
}

/** The prefix of names that come from a certificate; the ids of tokens never have it. */
export const CERTIFICATE = "certificate ";

/** A client of the socket file: the user that the daemon runs as, who could end it as well. */
export const OWNER: Identity = {
  name: "",
  scope: "admin",
  credential: "",
  take: () => true,
  hold: () => () => {},
};

/** A request that was not admitted gets the least scope. */
const NOBODY: Identity = {
  name: "nobody",
  scope: "observe",
  credential: "",
  take: () => false,
  hold: () => undefined,
};

/** Where handlers find it. */
export const IDENTITY = createContextKey<Identity>(NOBODY, { description: "who the request comes from" });

const known = new WeakMap<object, Identity>();

/** Notes who a request comes from. */
export function identify(request: object, identity: Identity): void {
  known.set(request, identity);
}

/** Who a request comes from. */
export const identityOf = (request: object): Identity => known.get(request) ?? NOBODY;

/** Throws unless that one may do what needs a scope. */
export function requireScope({ scope }: Identity, needed: Scope): void {
  if (!covers(scope, needed))
    throw new DaemonError("FORBIDDEN", `this needs the scope ${needed}, and yours is ${scope}`);
}
