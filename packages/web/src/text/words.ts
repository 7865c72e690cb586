import { Disposition, type Session, SessionStatus, type Usage } from "@agentwire/api";
import { timestampMs } from "@bufbuild/protobuf/wkt";

/** How a status is said, and how loudly. */
export interface StatusWords {
  readonly label: string;
  readonly tone: "asking" | "failed" | "busy" | "idle";
}

const STATUSES: ReadonlyMap<SessionStatus, StatusWords> = new Map([
  [SessionStatus.IDLE, { label: "idle", tone: "idle" }],
  [SessionStatus.WAITING, { label: "waiting for a place", tone: "busy" }],
  [SessionStatus.STARTING, { label: "starting", tone: "busy" }],
  [SessionStatus.RUNNING, { label: "running", tone: "busy" }],
  [SessionStatus.ASKING, { label: "asks", tone: "asking" }],
  [SessionStatus.RECOVERING, { label: "recovering", tone: "busy" }],
  [SessionStatus.FAILED, { label: "failed", tone: "failed" }],
]);

export const statusWords = (status: SessionStatus): StatusWords =>
  STATUSES.get(status) ?? { label: "unknown", tone: "idle" };

const DISPOSITIONS: ReadonlyMap<Disposition, string> = new Map([
  [Disposition.ALLOWED, "allowed"],
  [Disposition.DENIED, "denied"],
  [Disposition.TIMED_OUT, "not answered in time"],
  [Disposition.ABORTED, "taken back by the agent"],
  [Disposition.SUPERSEDED, "replaced by a later question"],
  [Disposition.ORPHANED, "left behind: the agent that asked is gone"],
]);

export const dispositionWords = (disposition: Disposition): string => DISPOSITIONS.get(disposition) ?? "open";

/** A session's name; one that nobody named and nobody asked anything has none of its own. */
export const titleOfSession = ({ title }: Session): string => title || "New session";

/** The last part of a folder, which people know it by. */
export const folderName = (path: string): string => path.split("/").filter(Boolean).at(-1) ?? "/";

/** How long something took. */
export function span(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
  if (ms < 86_400_000) return `${Math.floor(ms / 3_600_000)} h ${Math.round((ms % 3_600_000) / 60_000)} min`;
  return `${Math.floor(ms / 86_400_000)} days`;
}

/** How long ago something was, in as few characters as a list has room for. */
export function ago(session: Session, nowMs: number): string {
  const ms = Math.max(0, nowMs - (session.updatedAt ? timestampMs(session.updatedAt) : nowMs));
  if (ms < 60_000) return "now";
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)}m`;
  if (ms < 86_400_000) return `${Math.floor(ms / 3_600_000)}h`;
  return `${Math.floor(ms / 86_400_000)}d`;
}

/** An amount of money. */
export const dollars = (usd: number): string => (usd > 0 && usd < 0.01 ? "<$0.01" : `$${usd.toFixed(2)}`);

/** What something has cost, as far as anybody knows: unknown is not zero. Empty for what took nothing. */
export function cost(usage: Usage | undefined): string {
  if (!usage || (usage.costUsd === undefined && tokens(usage) === 0)) return "";
  if (usage.costUsd === undefined) return "cost unknown";
  return usage.costIncomplete ? `>$${usage.costUsd.toFixed(2)}` : dollars(usage.costUsd);
}

/** So many of something. */
export const many = (value: number | bigint, word: string): string =>
  `${value} ${word}${Number(value) === 1 ? "" : "s"}`;

/** A large number in short. */
export function count(value: number): string {
  if (value < 1000) return String(value);
  if (value < 1_000_000) return `${(value / 1000).toFixed(value < 10_000 ? 1 : 0)}k`;
  return `${(value / 1_000_000).toFixed(1)}M`;
}

export const tokens = (usage: Usage): number =>
  Number(
    usage.inputTokens + usage.outputTokens + usage.cacheCreationInputTokens + usage.cacheReadInputTokens,
  );

/** A number of bytes. */
export function bytes(value: number): string {
  if (value < 1024) return `${value} B`;
  if (value < 1_048_576) return `${(value / 1024).toFixed(0)} KB`;
  return value < 1_073_741_824
    ? `${(value / 1_048_576).toFixed(1)} MB`
    : `${(value / 1_073_741_824).toFixed(2)} GB`;
}

/** A time of day. */
export const clock = (ms: number): string =>
  new Date(ms).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** A time of day, with the day if that is another one. */
export function moment(ms: number, nowMs: number): string {
  const isToday = new Date(ms).toDateString() === new Date(nowMs).toDateString();
  const day = new Date(ms).toLocaleDateString(undefined, { day: "numeric", month: "short" });
  return isToday ? clock(ms) : `${day}, ${clock(ms)}`;
}
