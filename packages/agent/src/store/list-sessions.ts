import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { projectFolder } from "@agentwire/local/transcript";
import { isJsonObject, type JsonObject, Malformed, parseLine } from "@agentwire/protocol";
import { endsOf, lastTitle, sessionsIn } from "./find-session.ts";

/** A session on disk, as listed for people. */
export interface ListedSession {
  readonly sessionId: string;
  readonly cwd: string;
  /** Its title, or else its first prompt. */
  readonly title: string;
  readonly updatedMs: number;
}

const MAX_TITLE = 100;

/** The sessions of one project or of all, most recently used first; `from` and `count` select a page. */
export async function listSessions(
  configDir: string,
  cwd: string | undefined,
  from: number,
  count: number,
): Promise<{ readonly sessions: readonly ListedSession[]; readonly hasMore: boolean }> {
  const projects = join(configDir, "projects");
  const folders =
    cwd === undefined
      ? (await readdir(projects).catch(() => [])).map((name) => join(projects, name))
      : [projectFolder(configDir, cwd)];
  const files = (await Promise.all(folders.map(sessionsIn))).flat().sort((a, b) => b.mtimeMs - a.mtimeMs);
  const sessions: ListedSession[] = [];
  for (const { sessionId, path, mtimeMs } of files.slice(from, from + count)) {
    const [head = "", tail = head] = await endsOf(path);
    const lines = linesOf(head);
    const where = lines.find((line) => typeof line.cwd === "string")?.cwd;
    // A file may contain only a title.
    if (typeof where !== "string") continue;
    const title = lastTitle(tail) ?? lastTitle(head) ?? firstPrompt(lines);
    sessions.push({ sessionId, cwd: where, title: title.slice(0, MAX_TITLE), updatedMs: mtimeMs });
  }
  return { sessions, hasMore: from + count < files.length };
}

/** The last line may be cut off. */
const linesOf = (text: string): readonly JsonObject[] =>
  text.split("\n").flatMap((line) => {
    const read = line === "" ? undefined : parseLine(line);
    return read === undefined || read instanceof Malformed ? [] : [read];
  });

function firstPrompt(lines: readonly JsonObject[]): string {
  for (const { type, isMeta, message } of lines) {
    if (type !== "user" || isMeta === true || !isJsonObject(message)) continue;
    const { content } = message;
    const texts = Array.isArray(content)
      ? content.map((block) => (isJsonObject(block) ? block.text : ""))
      : [content];
    const found = texts.find((text) => typeof text === "string" && text !== "" && !text.startsWith("<"));
    if (typeof found === "string") return found;
  }
  return "";
}
