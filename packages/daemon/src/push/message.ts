import { isJsonObject } from "@agentwire/protocol";
import type { Redact } from "@agentwire/protocol/support";
import type { SessionNews } from "../session/news.ts";
import type { Message } from "./deliver.ts";
import { MAX_MESSAGE_BYTES } from "./encrypt.ts";

const HOUR = 3600;
const MAX_CHARS = 400;

/** The input of the console's service worker, which shows it as a notification. */
interface Notice {
  readonly kind: SessionNews["kind"] | "test";
  readonly title: string;
  readonly body: string;
  readonly sessionId: string;
  /** Set for a permission question, which can be decided from the notification. */
  readonly questionId: string;
}

/** A notification that only shows that messages arrive. */
export const TEST_MESSAGE: Message = {
  text: JSON.stringify({
    kind: "test",
    title: "agentwire",
    body: "Notifications arrive on this device.",
    sessionId: "",
    questionId: "",
  } satisfies Notice),
  ttlSeconds: 60,
  urgency: "high",
  topic: "test",
};

/** Converts news to a message: who asks for what, in enough detail to decide it. */
export function messageOf(news: SessionNews, redact: Redact): Message {
  const { record, kind } = news;
  const name = record.title || "A session";
  const shown = (text: string) => shortened(redact(text));
  const isAsking = kind === "asks";
  const isPermission = isAsking && news.question.userQuestions.length === 0;
  const notice: Notice = {
    kind,
    title: shown(isAsking ? `${name} asks` : kind === "failed" ? `${name} failed` : `${name} is done`),
    body: shown(isAsking ? gist(news.question) : kind === "failed" ? news.reason : record.cwd),
    sessionId: record.id,
    // A question that is not shown completely must not be decided on a lock screen.
    questionId: isPermission && gist(news.question).length <= MAX_CHARS ? news.question.id : "",
  };
  const text = JSON.stringify(notice);
  return {
    text: Buffer.byteLength(text) > MAX_MESSAGE_BYTES ? JSON.stringify({ ...notice, body: "" }) : text,
    ttlSeconds: isAsking ? 24 * HOUR : 4 * HOUR,
    urgency: kind === "done" ? "normal" : "high",
    topic: record.id
      .replaceAll(/[^\w-]/g, "")
      .replaceAll("-", "")
      .slice(0, 32),
  };
}

/** A summary of a question in a line or two. */
function gist({
  toolName,
  inputJson,
  userQuestions: [first],
}: Extract<SessionNews, { kind: "asks" }>["question"]) {
  if (first) return first.question;
  const input: unknown = JSON.parse(inputJson || "{}");
  const said = isJsonObject(input) ? (input.command ?? input.file_path ?? input.url ?? inputJson) : inputJson;
  return `${toolName}: ${String(said)}`;
}

const shortened = (text: string): string =>
  text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS - 1)}…` : text;
