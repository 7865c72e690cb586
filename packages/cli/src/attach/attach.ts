import { EventSchema, type Question, type Session, SessionStatus } from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol";
import { OpenQuestions } from "../ask/open-questions.ts";
import { type Call, hasOption } from "../command.ts";
import { clientName, runningDaemon } from "../daemon/reach.ts";
import { CliError } from "../errors.ts";
import { personAt } from "../io.ts";
import { endLines, paperOf, put } from "../output.ts";
import { EventPrinter } from "../render/event-printer.ts";
import { aside } from "../render/piece.ts";
import { oneLine } from "../render/plain.ts";
import { shortId } from "../render/question-line.ts";
import { styleFor } from "../render/style.ts";
import type { Client } from "../talk/client.ts";
import { follow, type News } from "../talk/follow.ts";
import { jsonLine } from "../talk/json.ts";
import { isGone } from "../talk/rpc-error.ts";
import { findSession } from "../talk/sessions.ts";
import { Conversation } from "./conversation.ts";
import { InputRequests } from "./input-requests.ts";

const COMMAND = "attach";
/** How many of the latest events are shown at first. */
const SHOWN_EVENTS = 500n;

/** Shows a session live, and lets whoever watches take part, until they leave; resolves to the exit code. */
export async function attach(call: Call): Promise<number> {
  const { io, json, args } = call;
  const client = await runningDaemon(io, COMMAND);
  const session = args[0] === undefined ? await latest(client) : await findSession(client, args[0]);
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
  const paper = conversation?.screen ?? paperOf(io.stdout);
  const papers = { said: paper, aside: paper };
  const printer = new EventPrinter({ style, prompts: true });
  const leave = () => left.abort();
  // At a terminal keys are heard, not signals.
  process.on("SIGINT", leave).on("SIGTERM", leave);

  let isLost = false;
  const show = async (item: News) => {
    if (json) {
      if (item.type === "events")
        for (const event of item.events) io.stdout.write(jsonLine(EventSchema, event));
      return;
    }
    switch (item.type) {
      case "events":
        for (const event of item.events) {
          put(papers, printer.print(event));
          questions.hear(event);
          requests.hear(event);
        }
        return;
      case "gap":
        return put(papers, [
          aside(style.yellow(`… events ${item.gap.fromSeq} to ${item.gap.toSeq} are not stored any more`)),
        ]);
      case "notice":
        return put(papers, [aside(style.yellow(`… ${item.notice.message}`))]);
      case "lost":
        isLost = true;
        return put(papers, [aside(style.yellow("… the daemon is gone; looking for it (Ctrl-D leaves)"))]);
      case "caught_up": {
        if (isLost) put(papers, [aside(style.dim("(connected again)"))]);
        isLost = false;
        questions.reset(await openQuestions(client, session.id));
        return conversation?.begin();
      }
    }
  };

  const isWhole = hasOption(call, "all") || session.lastSeq <= SHOWN_EVENTS;
  const afterSeq = isWhole ? 0n : session.lastSeq - SHOWN_EVENTS;
  if (!json)
    put(
      papers,
      heading(session, afterSeq, person !== undefined).map((line) => aside(style.dim(line))),
    );
  try {
    const options = { sessionId: session.id, afterSeq, patienceMs: Number.POSITIVE_INFINITY };
    for await (const item of follow(client, options, left.signal)) await show(item);
  } finally {
    left.abort();
    process.off("SIGINT", leave).off("SIGTERM", leave);
    await conversation?.end();
    endLines(papers);
  }
  if (!json)
    io.stderr.write(style.dim(`(left; the session stays: agentwire attach ${shortId(session.id)})\n`));
  return EXIT_CODES.done;
}

/** What is open, also of what was asked before what is shown; the next connection tells if this one is gone. */
async function openQuestions({ questions }: Client, sessionId: string): Promise<readonly Question[]> {
  try {
    return (await questions.listQuestions({ sessionId })).questions;
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

/** The session that needs somebody most. */
async function latest({ sessions }: Client): Promise<Session> {
  const page = await sessions.listSessions({ pageSize: 1, byAttention: true });
  if (page.sessions[0]) return page.sessions[0];
  throw new CliError("there is no session yet", { hint: 'begin one: agentwire run "hello"' });
}

function heading({ id, title, cwd, agent, status }: Session, afterSeq: bigint, isPerson: boolean): string[] {
  const name = title === "" ? "untitled" : oneLine(title, 60);
  return [
    `${shortId(id)} ${name} · ${agent} in ${cwd}${status === SessionStatus.FAILED ? " · failed" : ""}`,
    ...(isPerson ? ["Enter sends · Ctrl-C interrupts the turn · Ctrl-D leaves"] : []),
    ...(afterSeq > 0n ? [`… ${afterSeq} earlier events: --all shows them`] : []),
  ];
}
