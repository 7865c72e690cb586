import { collectQuestions, type Question, type Session } from "@agentwire/api";
import { CliError, UsageError } from "../errors.ts";
import { shortId } from "../render/question-line.ts";
import type { Client } from "./client.ts";

const WHOLE_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const MIN_CHARS = 4;
const PAGE = 500;

/** Finds a session by its id or the beginning of it. */
export async function findSession(
  { sessions }: Client,
  given: string,
  includeDeleted = false,
): Promise<Session> {
  const candidates: Session[] = [];
  for (const archived of [false, true]) {
    for (let pageToken = ""; ; ) {
      const page = await sessions.listSessions({ pageSize: PAGE, pageToken, includeDeleted, archived });
      candidates.push(...page.sessions.filter(({ id }) => id.startsWith(given)));
      pageToken = page.nextPageToken;
      if (pageToken === "" || candidates.some(({ id }) => id === given)) break;
    }
    // Archived sessions are considered only if no other matches.
    if (candidates.length > 0) break;
  }
  return only("session", given, candidates);
}

/** Resolves an id or its beginning to a session id; a complete id is returned unchecked. */
export async function sessionId(client: Client, given: string): Promise<string> {
  return WHOLE_ID.test(given) ? given : (await findSession(client, given)).id;
}

/** Finds an open question by its id or the beginning of it. */
export async function findQuestion({ questions }: Client, given: string): Promise<Question> {
  const { questions: open } = await collectQuestions(questions, {});
  return only(
    "open question",
    given,
    open.filter(({ id }) => id.startsWith(given)),
  );
}

function only<T extends { readonly id: string }>(kind: string, given: string, candidates: readonly T[]): T {
  const exact = candidates.find(({ id }) => id === given);
  if (exact) return exact;
  if (given.length < MIN_CHARS)
    throw new UsageError(
      `${JSON.stringify(given)} is too short for an id: give at least ${MIN_CHARS} characters`,
    );
  const [first, second] = candidates;
  const where = kind === "session" ? "agentwire sessions" : "agentwire questions";
  if (!first) throw new CliError(`no ${kind} ${given}`, { hint: `list them: ${where}` });
  if (second)
    throw new CliError(`${given} is ambiguous: ${candidates.map(({ id }) => shortId(id)).join(" or ")}`, {
      hint: "give more characters of the id",
    });
  return first;
}
