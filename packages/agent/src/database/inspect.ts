import type { Config } from "../config/config.ts";
import type { SessionMark } from "../memory/marks.ts";
import type { Database } from "../store/sqlite/database.ts";
import { UsageError } from "../usage-error.ts";
import { type DatabaseStatistics, databaseStatistics, type SessionStatistics } from "./statistics.ts";

/** What `--inspect` prints: sessions, messages, tokens, queue and memory of a database. It makes no model call. */
export function inspection(database: Database, { outputFormat }: Config): string {
  const statistics = databaseStatistics(database);
  const format = outputFormat ?? "text";
  if (format === "json") return `${JSON.stringify(statistics, null, 2)}\n`;
  if (format !== "text") throw new UsageError(`--format ${format}: choose text or json`);
  return asText(statistics);
}

function asText({ database, bytes, sessions, memory }: DatabaseStatistics): string {
  const waiting = memory.waiting.reduce((sum, { tokens }) => sum + tokens, 0);
  const entries = memory.tree.filter(({ is_archived }) => !is_archived);
  return [
    `${database}: ${bytes} bytes, ${plural(sessions.length, "session")}`,
    ...sessions.map(sessionAsText),
    `memory: ${plural(memory.entries, "entry", "entries")}, ${memory.archived} archived, ${plural(memory.versions, "earlier version")}, ${memory.characters} characters; about ${waiting} tokens not yet consolidated`,
    ...memory.consolidations.map(consolidationAsText),
    ...entries.map(({ slug, title, version }) => `  ${slug}  ${title} (version ${version})`),
    "",
  ].join("\n");
}

function sessionAsText(session: SessionStatistics): string {
  const { id, updated_at, messages, past_messages, queued_messages, input_tokens, output_tokens } = session;
  const past = past_messages > 0 ? ` (${past_messages} summarized)` : "";
  return `  ${JSON.stringify(id)}: ${plural(messages, "message")}${past}, ${input_tokens} tokens in, ${output_tokens} out, ${queued_messages} queued; last used ${updated_at}`;
}

function consolidationAsText(last: SessionMark): string {
  const { session_id, consolidated_at, entries_created, entries_updated, entries_archived, summary } = last;
  return `  ${JSON.stringify(session_id)} was consolidated ${consolidated_at}: ${entries_created} created, ${entries_updated} updated, ${entries_archived} archived. ${summary.replace(/\s+/g, " ")}`;
}

const plural = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;
