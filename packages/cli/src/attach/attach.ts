import { follow, type Session, SessionStatus } from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { OpenQuestions } from "../ask/open-questions.ts";
import { type Call, hasOption } from "../command.ts";
import { clientName, runningDaemon } from "../daemon/reach.ts";
import { CliError } from "../errors.ts";
import { personAt } from "../io.ts";
import { aside, endLines, outputOf, put } from "../output.ts";
import { oneLine } from "../render/plain.ts";
import { shortId } from "../render/question-line.ts";
import { styleFor } from "../render/style.ts";
import type { Client } from "../talk/client.ts";
import { isFinal } from "../talk/rpc-error.ts";
import { findSession } from "../talk/sessions.ts";
import { Conversation } from "./conversation.ts";
import { InputRequests } from "./input-requests.ts";
import { jsonNews, printedNews } from "./show-news.ts";

const COMMAND = "attach";
/** How many of the latest events are shown at first. */
const SHOWN_EVENTS = 500n;

/** Shows a session live and lets the user take part until they detach; resolves to the exit code. */
export async function attach(call: Call): Promise<number> {
  const { io, json, args } = call;
  const client = await runningDaemon(io, COMMAND);
  const session = args[0] === undefined ? await mostUrgent(client) : await findSession(client, args[0]);
  const left = new AbortController();
  const person = json ? undefined : personAt(io);
  const style = styleFor(io.stdout, io.env);
  const questions = new OpenQuestions();
  const requests = new InputRequests(clientName(COMMAND));
  const conversation =
    person &&
    new Conversation({
      client,
      session,
      person,
      questions,
      requests,
      style,
      home: io.env.HOME ?? "",
      leave: () => left.abort(),
    });
  const output = conversation?.screen ?? outputOf(io.stdout);
  const outputs = { said: output, aside: output };
  const leave = () => left.abort();
  // At a terminal, Ctrl-C arrives as a key, not as a signal.
  process.on("SIGINT", leave).on("SIGTERM", leave);

  const show = json
    ? jsonNews(io.stdout)
    : printedNews({
        client,
        sessionId: session.id,
        outputs,
        style,
        questions,
        requests,
        onCaughtUp: () => conversation?.begin(),
      });
  const isWhole = hasOption(call, "all") || session.lastSeq <= SHOWN_EVENTS;
  const afterSeq = isWhole ? 0n : session.lastSeq - SHOWN_EVENTS;
  if (!json)
    put(
      outputs,
      heading(session, afterSeq, person !== undefined).map((line) => aside(style.dim(line))),
    );
  try {
    const options = { sessionId: session.id, afterSeq, isFinal };
    for await (const item of follow(client.sessions, options, left.signal)) await show(item);
  } finally {
    left.abort();
    process.off("SIGINT", leave).off("SIGTERM", leave);
    await conversation?.end();
    endLines(outputs);
  }
  if (!json)
    io.stderr.write(style.dim(`(detached; the session is kept: agentwire attach ${shortId(session.id)})\n`));
  return EXIT_CODES.done;
}

/** The session that most needs attention. */
async function mostUrgent({ sessions }: Client): Promise<Session> {
  const page = await sessions.listSessions({ pageSize: 1, byAttention: true });
  if (page.sessions[0]) return page.sessions[0];
  throw new CliError("no sessions yet", { hint: 'start one: agentwire run "hello"' });
}

function heading({ id, title, cwd, agent, status }: Session, afterSeq: bigint, isPerson: boolean): string[] {
  const name = title === "" ? "untitled" : oneLine(title, 60);
  return [
    `${shortId(id)} ${name} · ${agent} in ${cwd}${status === SessionStatus.FAILED ? " · failed" : ""}`,
    ...(isPerson ? ["Enter sends · Ctrl-C interrupts the turn · Ctrl-D detaches"] : []),
    ...(afterSeq > 0n ? [`… ${afterSeq} earlier events: --all shows them`] : []),
  ];
}
