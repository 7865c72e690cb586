import { type Token as ApiToken, TokenSchema, type TokenService } from "@agentwire/api";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import { SCOPES, scopeOf } from "../access/scope.ts";
import type { Token } from "../access/token-book.ts";
import type { Daemon } from "../daemon.ts";
import { DaemonError } from "../errors.ts";
import { callerOf } from "./caller.ts";

const MAX_TTL_SECONDS = 100 * 365 * 86_400;

/** Lists, creates and revokes tokens. */
export function tokenService({ tokens }: Daemon): ServiceImpl<typeof TokenService> {
  return {
    async listTokens({ includeEnded }) {
      return { tokens: tokens.all.filter((token) => includeEnded || tokens.isGood(token)).map(toApi) };
    },

    async createToken({ name, scope: wanted, ttlSeconds }, context) {
      const scope = scopeOf(wanted);
      if (!scope) throw new DaemonError("INVALID_ARGUMENT", "scope: choose observe, answer, drive or admin");
      if (name.trim() === "" || name.length > 100)
        throw new DaemonError("INVALID_ARGUMENT", "name: give a name of up to 100 characters");
      if (ttlSeconds > MAX_TTL_SECONDS)
        throw new DaemonError("INVALID_ARGUMENT", "ttl_seconds: give at most 100 years; 0 means no expiry");
      const ttlMs = ttlSeconds === 0n ? undefined : Number(ttlSeconds) * 1000;
      const { token, secret } = await tokens.create({ name, scope, ttlMs, createdBy: callerOf(context) });
      return { token: toApi(token), secret };
    },

    async revokeToken({ id }, context) {
      return { token: toApi(await tokens.revoke(id, callerOf(context))) };
    },
  };
}

function toApi({ id, name, scope, createdBy, createdMs, expiresMs, revokedMs, usedMs }: Token): ApiToken {
  return create(TokenSchema, {
    id,
    name,
    scope: SCOPES[scope],
    createdBy,
    createdAt: timestampFromMs(createdMs),
    ...(expiresMs !== null && { expiresAt: timestampFromMs(expiresMs) }),
    ...(revokedMs !== null && { revokedAt: timestampFromMs(revokedMs) }),
    ...(usedMs !== null && { lastUsedAt: timestampFromMs(usedMs) }),
  });
}
