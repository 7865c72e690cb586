import { EXIT_CODES } from "@agentwire/protocol/support";
import { exportHtml, exportMarkdown } from "@agentwire/view/export";
import { storedTimeline } from "@agentwire/view/timeline";
import { type Call, textOption } from "../command.ts";
import { runningDaemon } from "../daemon/reach.ts";
import { sessionId } from "../talk/sessions.ts";

/** Prints a session as one page or text to share. */
export async function share(call: Call): Promise<number> {
  const { io, args } = call;
  const client = await runningDaemon(io, "export");
  const id = await sessionId(client, args[0] ?? "");
  const { session } = await client.sessions.getSession({ sessionId: id });
  const items = await storedTimeline(client.sessions, id);
  const write = textOption(call, "format") === "markdown" ? exportMarkdown : exportHtml;
  io.stdout.write(write(session?.title || "Session", items));
  return EXIT_CODES.done;
}
