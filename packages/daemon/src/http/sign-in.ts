import { randomBytes } from "node:crypto";
import type { Handler } from "./front.ts";
import { bearerOf } from "./guard.ts";
import { isSame } from "./same.ts";
import { setCookie } from "./sign-in-cookie.ts";

/** How many links may wait to be opened; the oldest gives way. */
const MAX_LINKS = 100;

/**
 * Signs browsers in. A link holds a token of its own that works once, for browsers remember the addresses they were at; what the
 * browser keeps is a cookie that no script can read.
 */
export class SignIn {
  /** The daemon's own. */
  readonly token: string;
  readonly #unused = new Set<string>();

  constructor(token: string) {
    this.token = token;
  }

  /** A link for one browser; it works until the daemon ends. */
  link(address: string): string {
    const once = randomBytes(24).toString("base64url");
    this.#unused.add(once);
    for (const oldest of this.#unused) {
      if (this.#unused.size <= MAX_LINKS) break;
      this.#unused.delete(oldest);
    }
    return `${address}/#token=${once}`;
  }

  /** Gives a cookie for the token of a link, or for the daemon's own. */
  readonly handler: Handler = (request, response) => {
    const given = bearerOf(request.headers);
    if (!this.#unused.delete(given) && !isSame(given, this.token)) {
      response.writeHead(401, { "content-type": "text/plain", "cache-control": "no-store" });
      response.end(
        "this link was used before, or the daemon was restarted since; agentwire web makes another\n",
      );
      return;
    }
    response.writeHead(204, {
      "set-cookie": setCookie(this.token, request.socket.localPort ?? 0),
      "cache-control": "no-store",
    });
    response.end();
  };
}
