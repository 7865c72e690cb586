import { ListTokensResponseSchema, type Token } from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { type Call, hasOption } from "../command.ts";
import { runningDaemon } from "../daemon/reach.ts";
import { plain } from "../render/plain.ts";
import { shortId } from "../render/question-line.ts";
import { table } from "../render/table.ts";
import { printAge, printSpan } from "../render/time.ts";
import { jsonLine } from "../talk/json.ts";
import { scopeName } from "./names.ts";

/** Lists tokens. */
export async function list(call: Call): Promise<number> {
  const { io, json } = call;
  const { tokens: service } = await runningDaemon(io, "tokens");
  const found = await service.listTokens({ includeEnded: hasOption(call, "all") });
  if (json) io.stdout.write(jsonLine(ListTokensResponseSchema, found));
  else if (found.tokens.length === 0)
    io.stdout.write("There are no tokens but the daemon's own.\n  make one: agentwire tokens create NAME\n");
  else {
    const rows = found.tokens.map((token) => row(token, Date.now()));
    io.stdout.write(table([["ID", "NAME", "MAY", "MADE", "USED", "ENDS"], ...rows], io.stdout.columns));
  }
  return EXIT_CODES.done;
}

function row(token: Token, now: number): string[] {
  const { id, name, scope, createdAt, lastUsedAt } = token;
  return [
    shortId(id),
    plain(name),
    scopeName(scope),
    createdAt ? printAge(timestampMs(createdAt), now) : "",
    lastUsedAt ? printAge(timestampMs(lastUsedAt), now) : "never",
    printEnd(token, now),
  ];
}

/** Until when a token is good, in words. */
export function printEnd({ expiresAt, revokedAt }: Token, now: number): string {
  if (revokedAt) return `revoked ${printAge(timestampMs(revokedAt), now)}`;
  if (!expiresAt) return "never";
  const left = timestampMs(expiresAt) - now;
  return left > 0 ? `in ${printSpan(left)}` : `expired ${printAge(now + left, now)}`;
}
