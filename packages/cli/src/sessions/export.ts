import { EventSchema } from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol";
import type { Call } from "../command.ts";
import { runningDaemon } from "../daemon/reach.ts";
import { endLines, paperOf, put } from "../output.ts";
import { EventPrinter } from "../render/event-printer.ts";
import { styleFor } from "../render/style.ts";
import { jsonLine } from "../talk/json.ts";
import { sessionId } from "../talk/sessions.ts";

const PAGE = 500;

/** Prints everything that is stored of a session. */
export async function exportSession({ io, json, args: [given = ""] }: Call): Promise<number> {
  const client = await runningDaemon(io, "sessions");
  const id = await sessionId(client, given);
  const printer = new EventPrinter({ style: styleFor(io.stdout, io.env), prompts: true });
  const paper = paperOf(io.stdout);
  const papers = { said: paper, aside: paper };
  for (let fromSeq = 0n; ; ) {
    const { events, more } = await client.sessions.listEvents({ sessionId: id, fromSeq, pageSize: PAGE });
    for (const event of events) {
      if (json) io.stdout.write(jsonLine(EventSchema, event));
      else put(papers, printer.print(event));
    }
    fromSeq = events.at(-1)?.seq ?? fromSeq;
    if (!more) break;
  }
  endLines(papers);
  return EXIT_CODES.done;
}
