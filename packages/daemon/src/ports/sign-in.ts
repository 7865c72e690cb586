import { randomBytes } from "node:crypto";
import { CERTIFICATE, type Identity } from "../access/identity.ts";
import type { LoginLog } from "../access/login-log.ts";
import type { TokenBook } from "../access/token-book.ts";
import type { Handler } from "../http/front.ts";
import { bearerOf } from "../http/guard.ts";
import { secretsEqual } from "../http/secrets-equal.ts";
import { isSecure } from "../http/secure.ts";
import { browserKeys } from "../http/signed-in.ts";

/** How many unused links are kept; the oldest is dropped. */
const MAX_LINKS = 100;
/** How long a link is valid: enough time to open it in a browser. */
const LINK_MS = 5 * 60_000;
/** How long a browser stays signed in. */
const SIGNED_IN_MS = 30 * 86_400_000;

/** The dependencies of `SignIn`. */
export interface SignInOptions {
  /** The daemon's own token. */
  readonly token: string;
  readonly tokens: TokenBook;
  readonly logins: LoginLog;
  readonly now: () => number;
}

/** A link that signs one browser in. */
export interface ConsoleLink {
  readonly url: string;
  /** The same link by other names of this machine, for browsers elsewhere. */
  readonly otherUrls: readonly string[];
}

/** A link that has not been opened. */
interface Link {
  readonly maker: Pick<Identity, "name" | "credential">;
  readonly untilMs: number;
}

/**
 * Signs browsers in. A link contains its own token, which works once and expires soon, because browsers keep a history of addresses;
 * the browser that opens it gets the identity of the link's creator, for as long as that is valid.
 */
export class SignIn {
  readonly #options: SignInOptions;
  readonly #unused = new Map<string, Link>();

  constructor(options: SignInOptions) {
    this.#options = options;
  }

  /** A link for one browser, by each URL of a port; `caller` is its creator's name in the audit log. */
  link([url = "", ...others]: readonly string[], maker: Link["maker"], caller: string): ConsoleLink {
    const { logins, now } = this.#options;
    const once = randomBytes(24).toString("base64url");
    const untilMs = now() + LINK_MS;
    this.#unused.set(once, { maker, untilMs });
    for (const oldest of this.#unused.keys()) {
      if (this.#unused.size <= MAX_LINKS) break;
      this.#unused.delete(oldest);
    }
    logins.note(caller, "link made", `signs a browser in until ${new Date(untilMs).toISOString()}`, url);
    const linked = (address: string) => `${address}/#token=${once}`;
    return { url: linked(url), otherUrls: others.map(linked) };
  }

  /** Signs a browser in with the token of a link, or the daemon's own. */
  readonly handler: Handler = (request, response) => {
    const { token, logins, now } = this.#options;
    const address = request.socket.remoteAddress ?? "";
    const given = bearerOf(request.headers);
    const maker = secretsEqual(given, token) ? { name: "", credential: "" } : this.#opened(given);
    const until = maker && this.#until(maker.credential);
    if (!maker || until === undefined) {
      const waitMs = logins.refused(address, "a wrong, used or expired sign-in link");
      const wait = waitMs > 0 ? { "retry-after": String(Math.ceil(waitMs / 1000)) } : {};
      response.writeHead(waitMs > 0 ? 429 : 401, { ...PLAIN, ...wait });
      response.end(REFUSED);
      return;
    }
    const place = { port: request.socket.localPort ?? 0, isSecure: isSecure(request) };
    const signedIn = { credential: maker.credential, untilMs: until };
    const { setCookie, proof } = browserKeys(token, signedIn, place, now());
    const detail = `until ${new Date(until).toISOString()}`;
    logins.note(maker.name || "the daemon's owner", "browser signed in", detail, address);
    response.writeHead(200, {
      "content-type": "application/json",
      "cache-control": "no-store",
      "set-cookie": setCookie,
    });
    response.end(JSON.stringify({ proof }));
  };

  /** The creator of a valid link, which is then used up. */
  #opened(given: string): Link["maker"] | undefined {
    const link = this.#unused.get(given);
    this.#unused.delete(given);
    return link && link.untilMs > this.#options.now() ? link.maker : undefined;
  }

  /** When a sign-in by a link expires, given its creator's credential; undefined if that is no longer valid. */
  #until(credential: string): number | undefined {
    const { tokens, now } = this.#options;
    const most = now() + SIGNED_IN_MS;
    // Certificates are checked at each request.
    if (credential === "" || credential.startsWith(CERTIFICATE)) return most;
    const token = tokens.good(credential);
    return token && Math.min(most, token.expiresMs ?? most);
  }
}

const PLAIN = { "content-type": "text/plain", "cache-control": "no-store" };
const REFUSED =
  "this link was already used, is older than five minutes, or its token is no longer valid; to get another: agentwire web\n";
