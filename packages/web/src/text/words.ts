import {
  type AuditEntry,
  Disposition,
  type PermissionDecided,
  type Question,
  type QuestionAnswered,
  type Session,
  SessionStatus,
  type Usage,
} from "@agentwire/api";
import type { Input, InputStatus } from "@agentwire/view/facts";
import { parseInput, summaryOf } from "@agentwire/view/text";
import { timestampMs } from "@bufbuild/protobuf/wkt";

/** The label of a status, and the tone in which it is displayed. */
interface StatusWords {
  readonly label: string;
  readonly tone: "asking" | "failed" | "busy" | "idle";
}

const STATUSES: ReadonlyMap<SessionStatus, StatusWords> = new Map([
  [SessionStatus.IDLE, { label: "idle", tone: "idle" }],
  [SessionStatus.WAITING, { label: "waiting for a free agent", tone: "busy" }],
  [SessionStatus.STARTING, { label: "starting", tone: "busy" }],
  [SessionStatus.RUNNING, { label: "running", tone: "busy" }],
  [SessionStatus.ASKING, { label: "asking", tone: "asking" }],
  [SessionStatus.RECOVERING, { label: "recovering", tone: "busy" }],
  [SessionStatus.FAILED, { label: "failed", tone: "failed" }],
]);

export const statusWords = ({ status, turnFailure }: Pick<Session, "status" | "turnFailure">): StatusWords =>
  status === SessionStatus.IDLE && turnFailure !== ""
    ? { label: "turn failed", tone: "failed" }
    : (STATUSES.get(status) ?? { label: "unknown", tone: "idle" });

const DISPOSITIONS: ReadonlyMap<Disposition, string> = new Map([
  [Disposition.ALLOWED, "allowed"],
  [Disposition.DENIED, "denied"],
  [Disposition.TIMED_OUT, "not answered in time"],
  [Disposition.ABORTED, "withdrawn by the agent"],
  [Disposition.SUPERSEDED, "replaced by a later question"],
  [Disposition.ORPHANED, "orphaned: the agent that asked is gone"],
]);

const dispositionWords = (disposition: Disposition): string => DISPOSITIONS.get(disposition) ?? "open";

/** A session's title; a session without a title or prompt is a "New session". */
export const titleOfSession = ({ title }: Session): string => title || "New session";

/** The last component of a folder's path. */
export const folderName = (path: string): string => path.split("/").filter(Boolean).at(-1) ?? "/";

/** Formats a duration. */
export function span(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
  if (ms < 86_400_000) return `${Math.floor(ms / 3_600_000)} h ${Math.round((ms % 3_600_000) / 60_000)} min`;
  return `${Math.floor(ms / 86_400_000)} days`;
}

/** When an unanswered question will be denied; empty if it has no deadline because a client is watching. */
export function deadlineWords({ expiresAt }: Question, nowMs: number): string {
  if (!expiresAt) return "";
  const left = timestampMs(expiresAt) - nowMs;
  return `denied ${left < 1000 ? "now" : `in ${amountOfTime(left)}`} unless answered`;
}

const UNITS = [
  [2 * 86_400_000, 86_400_000, "day"],
  [2 * 3_600_000, 3_600_000, "hour"],
  [2 * 60_000, 60_000, "minute"],
] as const;

/** Formats a duration in a single unit, rounded down. */
function amountOfTime(ms: number): string {
  const [, unit, word] = UNITS.find(([least]) => ms >= least) ?? [0, 1000, "second"];
  return many(Math.floor(ms / unit), word);
}

/** How long ago a session was used, in a few characters to fit in a list. */
export const ago = ({ updatedAt }: Session, nowMs: number): string =>
  agoOf(updatedAt ? timestampMs(updatedAt) : nowMs, nowMs);

/** How long ago a moment was, in a few characters to fit in a list. */
export function agoOf(thenMs: number, nowMs: number): string {
  const ms = Math.max(0, nowMs - thenMs);
  if (ms < 60_000) return "now";
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)}m`;
  if (ms < 86_400_000) return `${Math.floor(ms / 3_600_000)}h`;
  return `${Math.floor(ms / 86_400_000)}d`;
}

/** Formats an amount in dollars. */
export const dollars = (usd: number): string => (usd > 0 && usd < 0.01 ? "<$0.01" : `$${usd.toFixed(2)}`);

/** Formats the cost of usage; an unknown cost is not shown as zero. Empty if nothing was used. */
export function cost(usage: Usage | undefined): string {
  if (!usage || (usage.costUsd === undefined && tokens(usage) === 0)) return "";
  if (usage.costUsd === undefined) return "cost unknown";
  return usage.costIncomplete ? `>$${usage.costUsd.toFixed(2)}` : dollars(usage.costUsd);
}

/** A count with a noun, in the singular or plural. */
export const many = (value: number | bigint, word: string): string =>
  `${value} ${word}${Number(value) === 1 ? "" : "s"}`;

/** Abbreviates a large number. */
export function count(value: number): string {
  if (value < 1000) return String(value);
  if (value < 1_000_000) return `${(value / 1000).toFixed(value < 10_000 ? 1 : 0)}k`;
  return `${(value / 1_000_000).toFixed(1)}M`;
}

export const tokens = (usage: Usage): number =>
  Number(
    usage.inputTokens + usage.outputTokens + usage.cacheCreationInputTokens + usage.cacheReadInputTokens,
  );

/** Formats a number of bytes. */
export function bytes(value: number): string {
  if (value < 1024) return `${value} B`;
  if (value < 1_048_576) return `${(value / 1024).toFixed(0)} KB`;
  return value < 1_073_741_824
    ? `${(value / 1_048_576).toFixed(1)} MB`
    : `${(value / 1_073_741_824).toFixed(2)} GB`;
}

/** Formats a time of day. */
export const clock = (ms: number): string =>
  new Date(ms).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** Formats a time of day, with the date if it is not today. */
export function moment(ms: number, nowMs: number): string {
  const isToday = new Date(ms).toDateString() === new Date(nowMs).toDateString();
  const day = new Date(ms).toLocaleDateString(undefined, { day: "numeric", month: "short" });
  return isToday ? clock(ms) : `${day}, ${clock(ms)}`;
}

type Settled = PermissionDecided | QuestionAnswered;
type IsOurs = (client: string) => boolean;

/** How a question ended and who ended it, briefly; the viewer is "you". */
export function outcomeWords({ disposition, decidedBy }: Settled, isOurs: IsOurs): string {
  const by = isOurs(decidedBy) ? "you" : decidedBy;
  return `${dispositionWords(disposition)}${by === "" ? "" : ` by ${by}`}`;
}

/** How a question ended and who ended it, with answers, rule and message. */
export function decisionWords(question: Question, settled: Settled, isOurs: IsOurs): string {
  const outcome = outcomeWords(settled, isOurs);
  const by = outcome.slice(dispositionWords(settled.disposition).length);
  if ("answers" in settled) {
    const answers = question.userQuestions
      .map(({ question: asked }) => settled.answers[asked])
      .filter(Boolean);
    return answers.length > 0 ? `Answered${by}: ${answers.join("; ")}` : capital(outcome);
  }
  const rule = settled.rule === "" ? "" : `, rule ${settled.rule}`;
  const changed = settled.inputChanged ? ", with other input" : "";
  const message = settled.message === "" ? "" : `: ${settled.message}`;
  return `${capital(outcome)}${rule}${changed}${message}`;
}

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Says who may send prompts; empty if everyone may. */
export function inputWords(standing: InputStatus, { reason }: Input): string {
  switch (standing.type) {
    case "everybody":
      return "";
    case "ours": {
      const [first] = standing.requests;
      if (first) return `Only you may send, and ${first.client} has asked for the input.`;
      // The user who took the input need not be told.
      return reason === "" || reason === "they took it"
        ? "Only you may send now."
        : `Only you may send now: ${reason}.`;
    }
    case "free to ask":
      return `Only ${standing.holder} may send now${reason === "" ? "" : `: ${reason}`}.`;
    case "waiting":
      return `${standing.holder} was asked for the input. If they don't answer, you get it at ${clock(standing.untilMs)}.`;
    case "refused":
      return `${standing.holder} keeps the input.`;
  }
}

/** An audit log entry, as displayed. */
interface AuditWords {
  readonly what: string;
  readonly about: string;
  readonly tone: "good" | "bad" | "";
  /** The session concerned, if any. */
  readonly sessionId?: string;
}

const GOOD: ReadonlySet<string> = new Set(["allowed", "let in"]);
const BAD: ReadonlySet<string> = new Set(["denied", "refused"]);

/** Describes an audit log entry. */
export function auditWords({ kind, action, subject, detail }: AuditEntry): AuditWords {
  const tone = GOOD.has(action) ? "good" : BAD.has(action) ? "bad" : "";
  switch (kind) {
    case "decision": {
      const [, tool = detail, input = ""] = /^(\S+) (.*)$/s.exec(detail) ?? [];
      // Long input is cut in the log, so it may no longer be valid JSON.
      return { what: tool, about: summaryOf(parseInput(input)) || cut(input), tone, sessionId: subject };
    }
    case "mode":
      return { what: "mode", about: detail, tone, sessionId: subject };
    default:
      return { what: kind, about: [subject, detail].filter(Boolean).join(" · "), tone };
  }
}

const LONGEST = 160;
const cut = (text: string) =>
  text === "{}" ? "" : text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
