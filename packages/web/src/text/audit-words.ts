import type { AuditEntry } from "@agentwire/api";
import { gist, parseInput } from "./tool-input.ts";

/** An entry of the audit log as people read it. */
export interface AuditWords {
  readonly what: string;
  readonly about: string;
  readonly tone: "good" | "bad" | "";
  /** The session that it is about, if it is about one. */
  readonly sessionId?: string;
}

const GOOD: ReadonlySet<string> = new Set(["allowed", "let in"]);
const BAD: ReadonlySet<string> = new Set(["denied", "refused"]);

/** What an entry tells. */
export function auditWords({ kind, action, subject, detail }: AuditEntry): AuditWords {
  const tone = GOOD.has(action) ? "good" : BAD.has(action) ? "bad" : "";
  switch (kind) {
    case "decision": {
      const [, tool = detail, input = ""] = /^(\S+) (.*)$/s.exec(detail) ?? [];
      // What was too long for the log is cut, and no longer JSON.
      return { what: tool, about: gist(parseInput(input)) || cut(input), tone, sessionId: subject };
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
