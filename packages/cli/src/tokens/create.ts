import { CreateTokenResponseSchema } from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { type Call, textOption } from "../command.ts";
import { runningDaemon } from "../daemon/reach.ts";
import { UsageError } from "../errors.ts";
import { jsonLine } from "../talk/json.ts";
import { printEnd } from "./list.ts";
import { SCOPES, scopeName } from "./names.ts";

/** Makes a token; only here its secret is seen. */
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
      `This is shown once. It may ${scopeName(scope)}; it ends ${end}. Clients send it: Authorization: Bearer TOKEN\n`,
    );
    io.stdout.write(`${made.secret}\n`);
  }
  return EXIT_CODES.done;
}

const UNITS: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 };

/** A span of time in seconds; 0 for one without an end. */
function secondsOf(text: string): number {
  if (text === "never") return 0;
  const [, count = "", unit = ""] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (UNITS[unit] ?? 0);
  if (seconds > 0) return seconds;
  throw new UsageError(`--for takes a time as in 30m, 12h or 90d, or never, not ${text}`);
}
