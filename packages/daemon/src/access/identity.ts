import { createContextKey } from "@connectrpc/connect";
import { DaemonError } from "../errors.ts";
import { covers, type Scope } from "./scope.ts";

/** The authenticated sender of a request. */
export interface Identity {
  /** A display name, as `token laptop` or `certificate phone`; empty for the owner of the daemon. */
  readonly name: string;
  readonly scope: Scope;
  /** The id of its token, or its certificate; links that it creates are valid as long as this is. Empty for the owner. */
  readonly credential: string;
  /** When the pass that it authenticated with expires; undefined if it used none. */
  readonly passUntilMs?: number;
  /** Counts a command; false if there were too many recently. */
  readonly take: () => boolean;
  /** Counts something that stays open, such as a watched session, until the returned function is called; undefined if there are too many. */
  readonly hold: () => (() => void) | undefined;
}

/** The prefix of names that come from a certificate; the ids of tokens never have it. */
export const CERTIFICATE = "certificate ";

/** A client of the socket file: the user that the daemon runs as, who controls it anyway. */
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

/** The context key under which handlers find the identity. */
export const IDENTITY = createContextKey<Identity>(NOBODY, { description: "the sender of the request" });

const known = new WeakMap<object, Identity>();

/** Records the sender of a request. */
export function identify(request: object, identity: Identity): void {
  known.set(request, identity);
}

/** The sender of a request. */
export const identityOf = (request: object): Identity => known.get(request) ?? NOBODY;

/** Throws unless the identity's scope includes the needed one. */
export function requireScope({ scope }: Identity, needed: Scope): void {
  if (!covers(scope, needed))
    throw new DaemonError("FORBIDDEN", `this requires the scope ${needed}; yours is ${scope}`);
}
