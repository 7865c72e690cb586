import { EXIT_CODES } from "@agentwire/protocol/support";
import { exportHtml, exportMarkdown } from "@agentwire/view/export";
import { type Item, Timeline } from "@agentwire/view/timeline";
import { type Call, textOption } from "../command.ts";
import { runningDaemon } from "../daemon/reach.ts";
import { sessionId } from "../talk/sessions.ts";

const PAGE = 1000;

/** Prints a session as one page or text that can be shared. */
export async function share(call: Call): Promise<number> {
  const { io, args } = call;
  const client = await runningDaemon(io, "export");
  const id = await sessionId(client, args[0] ?? "");
  const { session } = await client.sessions.getSession({ sessionId: id });
  const timeline = new Timeline();
  let items: readonly Item[] = [];
  for (let fromSeq = 0n, more = true; more; ) {
    const page = await client.sessions.listEvents({ sessionId: id, fromSeq, pageSize: PAGE });
    items = timeline.add(page.events);
    more = page.more;
    fromSeq = page.events.at(-1)?.seq ?? fromSeq;
  }
  const write = textOption(call, "format") === "markdown" ? exportMarkdown : exportHtml;
  io.stdout.write(write(session?.title || "Session", items));
  return EXIT_CODES.done;
}
