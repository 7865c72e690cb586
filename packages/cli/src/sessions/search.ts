import { type SearchHit, SearchHitKind, SearchSessionsResponseSchema } from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { type Call, textOption } from "../command.ts";
import { runningDaemon } from "../daemon/reach.ts";
import { UsageError } from "../errors.ts";
import { oneLine, plain } from "../render/plain.ts";
import { shortId } from "../render/question-line.ts";
import { type Style, styleFor } from "../render/style.ts";
import { printAge } from "../render/time.ts";
import { jsonLine } from "../talk/json.ts";
import { sessionId } from "../talk/sessions.ts";

const KINDS: Readonly<Record<SearchHitKind, string>> = {
  [SearchHitKind.UNSPECIFIED]: "",
  [SearchHitKind.PROMPT]: "prompt",
  [SearchHitKind.ANSWER]: "answer",
  [SearchHitKind.TOOL_CALL]: "tool call",
  [SearchHitKind.TOOL_RESULT]: "tool result",
};
const MAX = 100;

/** Searches messages by words. */
export async function search(call: Call): Promise<number> {
  const { io, json, args } = call;
  const client = await runningDaemon(io, "search");
  const given = textOption(call, "session");
  const found = await client.sessions.searchSessions({
    query: args.join(" "),
    sessionId: given === undefined ? "" : await sessionId(client, given),
    pageSize: limitOf(call),
  });
  if (json) io.stdout.write(jsonLine(SearchSessionsResponseSchema, found));
  else {
    const style = styleFor(io.stdout, io.env);
    for (const hit of found.hits) io.stdout.write(linesOf(hit, style));
    if (found.hits.length === 0) io.stdout.write("Nothing was found.\n");
    if (found.nextPageToken !== "") io.stdout.write("… and more: --limit N shows them\n");
    if (found.incomplete)
      io.stderr.write("Older sessions are still being indexed: search again in a moment.\n");
  }
  return EXIT_CODES.done;
}

/** A hit: its session and age, then the text around the words. */
function linesOf({ sessionId: id, title, time, kind, excerpt }: SearchHit, style: Style): string {
  const when = time ? printAge(timestampMs(time), Date.now()) : "";
  const head = `${style.bold(shortId(id))} ${oneLine(title, 60)} · ${KINDS[kind]} · ${when}`;
  const body = excerpt
    .map(({ text, match }) => {
      const line = plain(text).replace(/\s+/g, " ");
      return match ? style.bold(line) : style.dim(line);
    })
    .join("");
  return `${head}\n  ${body}\n`;
}

function limitOf(call: Call): number {
  const given = textOption(call, "limit") ?? "20";
  if (/^\d{1,3}$/.test(given) && Number(given) >= 1 && Number(given) <= MAX) return Number(given);
  throw new UsageError(`--limit takes a number from 1 to ${MAX}, not ${given}`);
}
