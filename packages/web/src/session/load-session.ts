import { collectQuestions } from "@agentwire/api";
import { type Facts, newFacts, withEvents, withOpenQuestions, withQueue } from "@agentwire/view/facts";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Client } from "../client.ts";
import { type Excerpt, newExcerpt, PAGE } from "./excerpt.ts";

/** The services needed to read a session. */
export type Reader = Pick<Client, "sessions" | "questions">;

/** The latest part of a session's history, and its current state. */
export interface Loaded {
  readonly facts: Facts;
  readonly excerpt: Excerpt;
}

const RETRY_MS = 1000;
const FINAL: ReadonlySet<Code> = new Set([Code.NotFound, Code.Unauthenticated, Code.InvalidArgument]);

/** Loads a session, retrying until it succeeds; throws when the signal fires or retrying can't help. */
export async function loadSession(client: Reader, sessionId: string, signal: AbortSignal): Promise<Loaded> {
  for (;;) {
    try {
      return await load(client, sessionId, signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof ConnectError) || FINAL.has(error.code)) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

async function load(
  { sessions, questions }: Reader,
  sessionId: string,
  signal: AbortSignal,
): Promise<Loaded> {
  const page = await sessions.listEvents({ sessionId, backwards: true, pageSize: PAGE }, { signal });
  // Loaded after the events: any later change is reported by the events that follow.
  const [{ session, queue }, { questions: open }] = await Promise.all([
    sessions.getSession({ sessionId }, { signal }),
    collectQuestions(questions, { sessionId }, { signal }),
  ]);
  if (!session) throw new ConnectError("session not found", Code.NotFound);
  const loaded = withQueue(
    withEvents(newFacts(session), page.events),
    queue.map(({ promptId: id, text }) => ({ id, text })),
  );
  // Questions that were already settled belong to the history.
  const known = new Set(open.map(({ id }) => id));
  const facts = { ...loaded, questions: loaded.questions.filter(({ question }) => known.has(question.id)) };
  return {
    facts: withOpenQuestions(facts, open),
    excerpt: newExcerpt(page.events, page.more, false),
  };
}
