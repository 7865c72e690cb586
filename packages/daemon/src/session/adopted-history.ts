import { PromptState } from "@agentwire/api";
import { type AgentMessage, isJsonObject, readMessage, type Unknown } from "@agentwire/protocol";
import {
  agentMessages,
  contentText,
  type MessageContent,
  messageContent,
} from "@agentwire/protocol/messages";
import type { Draft } from "../store/draft.ts";
import { RawLines } from "../store/raw-lines.ts";
import type { SessionRecord } from "../store/session-record.ts";
import type { Store } from "../store/store.ts";
import type { Write } from "../store/write.ts";
import { EventMapper } from "./events/mapper.ts";
import { Numbering } from "./numbering.ts";
import { limited } from "./payload-limit.ts";

/** A message in the transcript of another program's conversation. */
export interface LeftMessage {
  readonly type: string;
  readonly uuid: string;
  readonly message: unknown;
  readonly timestamp?: unknown;
  /** Whether a program wrote it in the user's place. */
  readonly is_meta?: unknown;
  readonly isCompactSummary?: unknown;
}

/** The events of one message, and their time. */
export interface AdoptedPart {
  readonly timeMs: number;
  readonly drafts: readonly Draft[];
}

/** How much is written in one transaction, which other writers have to wait for. */
const SLICE = 500;
const SLICE_BYTES = 512 * 1024;
/** The client name for prompts that did not come through the daemon. */
const ELSEWHERE = "another program";
/** How the official CLI records commands that it ran itself. */
const OWN_COMMAND = /^<(?:local-command-\w+|bash-\w+)>/;
const SLASH = /<command-name>([^<]*)<\/command-name>/;
const SLASH_ARGS = /<command-args>([^<]*)<\/command-args>/;

/** The events of another program's conversation; unreadable messages are skipped. */
export function* adoptedHistory(
  messages: Iterable<LeftMessage>,
  maxPayloadBytes: number,
): Generator<AdoptedPart> {
  let timeMs = 0;
  const mapper = new EventMapper(() => timeMs);
  for (const left of messages) {
    timeMs = timeOf(left) ?? timeMs;
    const prompt = promptIn(left);
    if (left.isCompactSummary === true)
      yield { timeMs, drafts: [{ body: { case: "compaction", value: { trigger: "earlier" } } }] };
    else if (prompt !== undefined) yield { timeMs, drafts: promptDrafts(left.uuid, prompt) };
    else if (left.is_meta !== true) {
      const message = read(left, maxPayloadBytes);
      const drafts = message ? mapper.map(message, []) : [];
      if (drafts.length > 0) yield { timeMs, drafts };
    }
  }
}

function timeOf({ timestamp }: LeftMessage): number | undefined {
  const ms = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  return Number.isFinite(ms) ? ms : undefined;
}

/** The content of a person's prompt; undefined for tool results and for text from programs. */
function promptIn({ type, message, is_meta }: LeftMessage): MessageContent | undefined {
  if (type !== "user" || is_meta === true || !isJsonObject(message)) return undefined;
  const { content } = message;
  if (typeof content !== "string" && !messageContent.accepts(content)) return undefined;
  if (typeof content !== "string" && content.some((block) => block.type === "tool_result")) return undefined;
  return content;
}

function promptDrafts(promptId: string, content: MessageContent): readonly Draft[] {
  const said = contentText(content);
  if (OWN_COMMAND.test(said)) return [];
  const [, command] = SLASH.exec(said) ?? [];
  const [, words = ""] = SLASH_ARGS.exec(said) ?? [];
  const text = command === undefined ? said : `${command} ${words}`.trim();
  const hasMore = typeof content !== "string" && content.some(({ type }) => type !== "text");
  const contentJson = hasMore ? JSON.stringify(content) : "";
  const became = (state: PromptState): Draft => ({
    body: { case: "promptChange", value: { promptId, state } },
  });
  return [
    { body: { case: "userInput", value: { promptId, text, contentJson, client: ELSEWHERE } } },
    became(PromptState.STARTED),
    became(PromptState.COMPLETED),
  ];
}

/** A message of the agent, truncated to the storage limit. */
function read({ type, uuid, message }: LeftMessage, maxPayloadBytes: number): AgentMessage | undefined {
  const value = { type, uuid, message, parent_tool_use_id: null, session_id: "" };
  let found: AgentMessage | Unknown | undefined;
  readMessage(agentMessages, value, {
    message: (one) => {
      found = one;
    },
    repaired: () => {},
    malformed: () => {},
    reply: () => {},
  });
  if (!found || !(type === "user" || type === "assistant")) return undefined;
  return limited(found as AgentMessage, JSON.stringify(value), maxPayloadBytes).message;
}

/** Stores a session with its history; it is marked as deleted until it is complete, and has no key until then. */
export async function keepAdopted(
  store: Store,
  record: SessionRecord,
  key: string,
  history: Iterable<AdoptedPart>,
): Promise<void> {
  const { id, createdMs } = record;
  await store.write([{ type: "addSession", record: { ...record, deletedMs: createdMs } }]);
  const numbering = new Numbering(id, 0, new RawLines(id, async () => []));
  let writes: Write[] = [];
  let bytes = 0;
  for (const { timeMs, drafts } of history) {
    const numbered = numbering.number(drafts, timeMs);
    writes.push(...numbered.writes);
    bytes += numbered.events.reduce((sum, { body }) => sum + body.length, 0);
    if (writes.length < SLICE && bytes < SLICE_BYTES) continue;
    await store.write(writes);
    writes = [];
    bytes = 0;
  }
  await store.write([
    ...writes,
    { type: "changeSession", id, changes: { deletedMs: null, idempotencyKey: key } },
  ]);
}
