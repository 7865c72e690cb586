import { type Event, type RawMessage, SessionStatus } from "@agentwire/api";
import type { NoticeItem } from "./item.ts";

type Words = Pick<NoticeItem, "tone" | "text"> & { readonly detail?: string };

/** The notice for an event; undefined for events that have none or are shown elsewhere. */
export function noticeOf({ body }: Event): Words | undefined {
  switch (body.case) {
    case "statusChange":
      return statusNotice(body.value.status, body.value.reason);
    case "error":
      return {
        tone: body.value.fatal ? "error" : "warning",
        text: adviceOn(body.value.code, body.value.message) ?? (body.value.message || body.value.code),
        detail: body.value.stderrTail,
      };
    case "deprecation":
      return { tone: "warning", text: body.value.message };
    case "compaction":
      return {
        tone: "quiet",
        text: `The conversation was summarized (${body.value.tokensBefore} tokens before, ${body.value.trigger}).`,
      };
    case "inputHolderChange": {
      const { client, reason } = body.value;
      const now = client === "" ? "Everyone may send again" : `Only ${client} may send now`;
      return { tone: "quiet", text: `${now}${reason === "" ? "" : `: ${reason}`}.` };
    }
    case "inputRequest":
      return { tone: "quiet", text: `${body.value.client} asks ${body.value.holder} for the input.` };
    case "inputRefusal": {
      const { client, holder, reason } = body.value;
      return {
        tone: "quiet",
        text: `${holder} keeps the input that ${client} asked for${reason === "" ? "" : `: ${reason}`}.`,
      };
    }
    case "budgetNotice": {
      const { scope, stopped, spentUsd, limitUsd } = body.value;
      return {
        tone: stopped ? "error" : "warning",
        text: `The budget ${scope === "day" ? "for today" : "of this session"} is ${stopped ? "spent" : "nearly spent"}: $${spentUsd.toFixed(2)} of $${limitUsd.toFixed(2)}.${stopped ? " No new turn starts until it is raised." : ""}`,
      };
    }
    case "planMode":
      return body.value.plan === "" ? { tone: "quiet", text: "Plan mode is on." } : undefined;
    default:
      return undefined;
  }
}

/** Replaces an error message that does not help here: `/login` is a command of another program. A provider's message already names the key it needs. */
export const adviceOn = (code: string, message: string): string | undefined =>
  code === "authentication_failed" && !message.includes(" needs a key: ")
    ? "The agent is not signed in. Run claude in a terminal and type /login, or set ANTHROPIC_API_KEY and restart the daemon (agentwire daemon stop)."
    : undefined;

function statusNotice(status: SessionStatus, reason: string): Words | undefined {
  if (status === SessionStatus.FAILED) return { tone: "error", text: `The session failed: ${reason}` };
  if (status === SessionStatus.RECOVERING) return { tone: "warning", text: reason };
  if (status === SessionStatus.WAITING) return { tone: "quiet", text: `Waiting: ${reason}` };
  return status === SessionStatus.IDLE && reason === "the daemon was restarted"
    ? { tone: "warning", text: "The daemon was restarted during this." }
    : undefined;
}

/** The notice in an agent's informational message: its first line, and the rest as detail. */
export function informationIn({ type, subtype, json }: RawMessage): Words | undefined {
  const read = type === "system" ? INFORMATION.get(subtype) : undefined;
  if (!read) return undefined;
  try {
    return read(JSON.parse(json) as Readonly<Record<string, unknown>>);
  } catch {
    // Messages too long to be stored were truncated, so this is not valid JSON.
    return undefined;
  }
}

type Reader = (message: Readonly<Record<string, unknown>>) => Words | undefined;

const INFORMATION: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  [
    "informational",
    ({ content, level }) => {
      if (typeof content !== "string") return undefined;
      const [text = "", ...rest] = content.split("\n");
      return { tone: level === "warning" ? "warning" : "quiet", text, detail: rest.join("\n") };
    },
  ],
  [
    "api_retry",
    ({ attempt, max_retries: max, retry_delay_ms: delayMs, error_status: status, error }) => {
      const again = `Trying again in ${Math.ceil(Number(delayMs) / 1000)} s (${attempt} of ${max}).`;
      const why = typeof status === "number" ? `status ${status}` : "no connection";
      // The error at the end of the retries says what to do about it.
      const what = error === "authentication_failed" ? "rejected the API key or login" : "did not answer";
      return { tone: "warning", text: `The model ${what} (${why}). ${again}` };
    },
  ],
]);
