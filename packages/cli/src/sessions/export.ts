import { type Event, EventSchema } from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { type Call, hasOption } from "../command.ts";
import { runningDaemon } from "../daemon/reach.ts";
import type { Io } from "../io.ts";
import { endLines, outputOf, put } from "../output.ts";
import { EventPrinter } from "../render/event-printer.ts";
import { styleFor } from "../render/style.ts";
import type { Client } from "../talk/client.ts";
import { jsonLine } from "../talk/json.ts";
import { sessionId } from "../talk/sessions.ts";

const PAGE = 500;

/** Prints everything stored for a session. */
export async function exportSession(call: Call): Promise<number> {
  const {
    io,
    json,
    args: [given = ""],
  } = call;
  const client = await runningDaemon(io, "sessions");
  const id = await sessionId(client, given);
  if (hasOption(call, "raw")) await exportLines(client, id, io);
  else if (json) await eachEvent(client, id, (event) => void io.stdout.write(jsonLine(EventSchema, event)));
  else {
    const printer = new EventPrinter({ style: styleFor(io.stdout, io.env), prompts: true });
    const output = outputOf(io.stdout);
    const outputs = { said: output, aside: output };
    await eachEvent(client, id, (event) => put(outputs, printer.print(event)));
    endLines(outputs);
  }
  return EXIT_CODES.done;
}

async function eachEvent({ sessions }: Client, id: string, take: (event: Event) => void): Promise<void> {
  for (let fromSeq = 0n; ; ) {
    const { events, more } = await sessions.listEvents({ sessionId: id, fromSeq, pageSize: PAGE });
    for (const event of events) take(event);
    fromSeq = events.at(-1)?.seq ?? fromSeq;
    if (!more) return;
  }
}

async function exportLines({ sessions }: Client, id: string, { stdout }: Io): Promise<void> {
  for (let fromSeq = 0n; ; ) {
    const { lines, more } = await sessions.listRawLines({ sessionId: id, fromSeq, pageSize: PAGE });
    for (const { line } of lines) stdout.write(`${line}\n`);
    fromSeq = lines.at(-1)?.seq ?? fromSeq;
    if (!more) return;
  }
}
