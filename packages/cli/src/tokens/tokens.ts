import { AccessScope, CreateTokenResponseSchema, ListTokensResponseSchema, type Token } from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { type Call, hasOption, textOption } from "../command.ts";
import { runningDaemon } from "../daemon/reach.ts";
import { CliError, UsageError } from "../errors.ts";
import { plain } from "../render/plain.ts";
import { shortId } from "../render/question-line.ts";
import { table } from "../render/table.ts";
import { printAge, printSpan } from "../render/time.ts";
import { jsonLine } from "../talk/json.ts";

/** The scopes of tokens by the names that people use. */
const SCOPES = {
  observe: AccessScope.OBSERVE,
  answer: AccessScope.ANSWER,
  drive: AccessScope.DRIVE,
  admin: AccessScope.ADMIN,
} as const;

const scopeName = (scope: AccessScope): string =>
  Object.entries(SCOPES).find(([, value]) => value === scope)?.[0] ?? "unknown";

/** Lists tokens. */
export async function list(call: Call): Promise<number> {
  const { io, json } = call;
  const { tokens: service } = await runningDaemon(io, "tokens");
  const found = await service.listTokens({ includeEnded: hasOption(call, "all") });
  if (json) io.stdout.write(jsonLine(ListTokensResponseSchema, found));
  else if (found.tokens.length === 0)
    io.stdout.write("No tokens besides the daemon's own.\n  create one: agentwire tokens create NAME\n");
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

const described = ({ id, name, scope, createdAt }: Token) =>
  `${shortId(id)} (${plain(name)}, ${scopeName(scope)}${createdAt ? `, created ${printAge(timestampMs(createdAt), Date.now())}` : ""})`;

/** When a token expires, or was revoked, as text. */
function printEnd({ expiresAt, revokedAt }: Token, now: number): string {
  if (revokedAt) return `revoked ${printAge(timestampMs(revokedAt), now)}`;
  if (!expiresAt) return "never";
  const left = timestampMs(expiresAt) - now;
  return left > 0 ? `in ${printSpan(left)}` : `expired ${printAge(now + left, now)}`;
}

/** Creates a token; its secret is shown only here. */
export async function create(call: Call): Promise<number> {
  const {
    io,
    json,
    args: [name = ""],
  } = call;
  const scope = SCOPES[(textOption(call, "scope") ?? "observe") as keyof typeof SCOPES];
  const ttlSeconds = BigInt(secondsOf(textOption(call, "for") ?? "90d"));
  const { tokens } = await runningDaemon(io, "tokens");
  const made = await tokens.createToken({ name, scope, ttlSeconds });
  if (json) io.stdout.write(jsonLine(CreateTokenResponseSchema, made));
  else {
    const end = made.token ? printEnd(made.token, Date.now()) : "";
    io.stderr.write(
      `Shown only once. Scope: ${scopeName(scope)}; expires ${end}. Clients send it as Authorization: Bearer TOKEN\n`,
    );
    io.stdout.write(`${made.secret}\n`);
  }
  return EXIT_CODES.done;
}

const UNITS: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 };

/** Parses a duration into seconds; 0 means no limit. */
function secondsOf(text: string): number {
  if (text === "never") return 0;
  const [, count = "", unit = ""] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (UNITS[unit] ?? 0);
  if (seconds > 0) return seconds;
  throw new UsageError(`--for takes a time as in 30m, 12h or 90d, or never, not ${text}`);
}

/** Revokes a token. */
export async function revoke({ io, json, args: [given = ""] }: Call): Promise<number> {
  const { tokens: service } = await runningDaemon(io, "tokens");
  const { tokens } = await service.listTokens({});
  const meant = tokens.filter(
    ({ id, name }) => name === given || id === given || (given.length >= 4 && id.startsWith(given)),
  );
  const [first, second] = meant;
  if (!first)
    throw new CliError(`no active token ${given}`, {
      hint: "list them: agentwire tokens",
    });
  if (second)
    throw new CliError(`${given} is ambiguous: it is the name or the id of ${meant.length} tokens`, {
      hint: `give one of these ids: ${meant.map(described).join(", ")}`,
    });
  await service.revokeToken({ id: first.id });
  io.stdout.write(
    json
      ? `${JSON.stringify({ revoked: first.id })}\n`
      : `revoked ${plain(first.name)} (${shortId(first.id)})\n`,
  );
  return EXIT_CODES.done;
}
