import { EXIT_CODES } from "@agentwire/protocol/support";
import type { Call } from "../command.ts";
import { runningDaemon } from "../daemon/reach.ts";
import { CliError } from "../errors.ts";
import { plain } from "../render/plain.ts";
import { shortId } from "../render/question-line.ts";

/** Makes a token worthless. */
export async function revoke({ io, json, args: [given = ""] }: Call): Promise<number> {
  const { tokens: service } = await runningDaemon(io, "tokens");
  const { tokens } = await service.listTokens({});
  const [first, second] = tokens.filter(
    ({ id, name }) => name === given || id === given || (given.length >= 4 && id.startsWith(given)),
  );
  if (!first)
    throw new CliError(`there is no token ${given} that could be revoked`, {
      hint: "agentwire tokens lists them",
    });
  if (second)
    throw new CliError(`${given} may mean ${shortId(first.id)} or ${shortId(second.id)}`, {
      hint: "give the id",
    });
  await service.revokeToken({ id: first.id });
  io.stdout.write(
    json
      ? `${JSON.stringify({ revoked: first.id })}\n`
      : `revoked ${plain(first.name)} (${shortId(first.id)})\n`,
  );
  return EXIT_CODES.done;
}
