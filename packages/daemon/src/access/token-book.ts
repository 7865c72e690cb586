import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { DaemonError } from "../errors.ts";
import type { Audit } from "../store/audit-log.ts";
import type { Store } from "../store/store.ts";
import type { TokenRow } from "../store/write.ts";
import { SCOPES, type Scope, scopeOf } from "./scope.ts";

/** A token without its secret, which only its holder has. */
export interface Token {
  readonly id: string;
  readonly name: string;
  readonly scope: Scope;
  readonly createdBy: string;
  readonly createdMs: number;
  readonly expiresMs: number | null;
  readonly revokedMs: number | null;
  readonly usedMs: number | null;
}

/** A token to create. */
export interface NewToken extends Pick<Token, "name" | "scope" | "createdBy"> {
  /** How long it is valid; forever if undefined. */
  readonly ttlMs: number | undefined;
}

interface Kept {
  readonly token: Token;
  readonly hash: Uint8Array;
}

/** `aw_`, the id, the secret. */
const FORM = /^aw_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;
const MAX_TOKENS = 10_000;
/** The precision of the recorded last use. */
const USE_MS = 60_000;

/** All tokens, in memory and on disk. */
export class TokenBook {
  readonly #store: Store;
  readonly #audit: Audit;
  readonly #now: () => number;
  readonly #kept = new Map<string, Kept>();
  /** The names of tokens that are being stored. */
  readonly #coming = new Set<string>();
  /** Called when a token is no longer valid. */
  onRevoked: (id: string) => void = () => {};

  /** Loads the stored tokens. */
  constructor(store: Store, rows: readonly TokenRow[], audit: Audit, now: () => number) {
    this.#store = store;
    this.#audit = audit;
    this.#now = now;
    this.#read(rows);
  }

  /** Replaces all tokens by the stored ones after another node has changed them. */
  replace(rows: readonly TokenRow[]): void {
    const before = [...this.#kept.values()];
    this.#kept.clear();
    this.#read(rows);
    for (const { token } of before) if (this.isGood(token) && !this.good(token.id)) this.onRevoked(token.id);
  }

  #read(rows: readonly TokenRow[]): void {
    for (const row of rows) {
      const token = fromRow(row);
      if (token) this.#kept.set(row.id, { token, hash: row.hash });
    }
  }

  get all(): readonly Token[] {
    return [...this.#kept.values()].map(({ token }) => token);
  }

  /** Whether a token is valid now. */
  isGood({ expiresMs, revokedMs }: Token): boolean {
    return revokedMs === null && (expiresMs === null || expiresMs > this.#now());
  }

  /** The token with an id, if it is valid now. */
  good(id: string): Token | undefined {
    const token = this.#kept.get(id)?.token;
    return token && this.isGood(token) ? token : undefined;
  }

  /** The token that a client has sent; undefined if it is not valid. */
  find(sent: string): Token | undefined {
    const [, id = "", secret = ""] = FORM.exec(sent) ?? [];
    const kept = this.#kept.get(id);
    // Unknown ids take the same time as known ones.
    const isRight = timingSafeEqual(digest(secret), kept?.hash ?? NO_HASH);
    if (!kept || !isRight || !this.isGood(kept.token)) return undefined;
    this.#used(kept);
    return kept.token;
  }

  /** Creates a token; its secret is returned only here. Rejects if a valid token has the same name, since tokens are revoked by name. */
  async create(wanted: NewToken): Promise<{ token: Token; secret: string }> {
    const { name } = wanted;
    if (this.#kept.size >= MAX_TOKENS)
      throw new DaemonError("TOO_MANY", `there are already ${MAX_TOKENS} tokens, the maximum`);
    if (this.#coming.has(name) || this.all.some((token) => token.name === name && this.isGood(token)))
      throw new DaemonError("NAME_TAKEN", `there is already a token ${name}`);
    this.#coming.add(name);
    try {
      return await this.#add(wanted);
    } finally {
      this.#coming.delete(name);
    }
  }

  async #add({ name, scope, createdBy, ttlMs }: NewToken): Promise<{ token: Token; secret: string }> {
    const id = randomBytes(8).toString("hex");
    const secret = randomBytes(32).toString("base64url");
    const hash = digest(secret);
    const createdMs = this.#now();
    const expiresMs = ttlMs === undefined ? null : createdMs + ttlMs;
    const token = { id, name, scope, createdBy, createdMs, expiresMs, revokedMs: null, usedMs: null };
    const until = expiresMs === null ? "until it is revoked" : `until ${new Date(expiresMs).toISOString()}`;
    await this.#store.write([
      { type: "addToken", token: { ...token, scope: SCOPES[scope], hash } },
      this.#audit({
        kind: "token",
        actor: createdBy,
        action: "created",
        subject: id,
        detail: `${name}: ${scope}, ${until}`,
      }),
    ]);
    this.#kept.set(id, { token, hash });
    return { token, secret: `aw_${id}_${secret}` };
  }

  /** Revokes a token. */
  async revoke(id: string, by: string): Promise<Token> {
    const kept = this.#kept.get(id);
    if (!kept) throw new DaemonError("INVALID_ARGUMENT", "no token has that id");
    if (kept.token.revokedMs !== null) return kept.token;
    const token = { ...kept.token, revokedMs: this.#now() };
    await this.#store.write([
      { type: "changeToken", id, changes: { revokedMs: token.revokedMs } },
      this.#audit({ kind: "token", actor: by, action: "revoked", subject: id, detail: token.name }),
    ]);
    this.#kept.set(id, { ...kept, token });
    this.onRevoked(id);
    return token;
  }

  #used({ token, hash }: Kept): void {
    const now = this.#now();
    if (token.usedMs !== null && now - token.usedMs < USE_MS) return;
    this.#kept.set(token.id, { token: { ...token, usedMs: now }, hash });
    // Readers must not be locked out while the store can't be written.
    this.#store.write([{ type: "changeToken", id: token.id, changes: { usedMs: now } }]).catch(() => {});
  }
}

const digest = (secret: string) => createHash("sha256").update(secret).digest();
const NO_HASH = digest("");

/** Drops a row whose scope only a newer daemon knows. */
function fromRow({ scope: number, hash: _, ...token }: TokenRow): Token | undefined {
  const scope = scopeOf(number);
  return scope && { ...token, scope };
}
