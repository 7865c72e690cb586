import type { SDKSessionInfo } from "../sdk/sessions.ts";
import { type ArchiveMark, isArchived } from "./archive-mark.ts";
import type { Ends } from "./ends.ts";
import { firstPrompt, promptKind } from "./first-prompt.ts";
import { firstText, hasLiteral, lastField, lastText } from "./scan.ts";

/** What is known about a session from outside its transcript. */
export interface SidecarFacts {
  /** The project, if the search was limited to one. */
  readonly projectPath?: string | undefined;
  /** A title that is stored in a separate file. */
  readonly title?: string | undefined;
  readonly mark?: ArchiveMark | undefined;
}

/** What the ends of a transcript tell about its session; undefined for a subagent's, and if there is nothing to show. */
export function sessionInfo(
  sessionId: string,
  ends: Ends,
  beside: SidecarFacts = {},
): SDKSessionInfo | undefined {
  const { head, tail } = ends;
  const end = head.indexOf("\n");
  if (hasLiteral(end < 0 ? head : head.slice(0, end), "isSidechain", "true")) return undefined;
  const customTitle = titleIn(ends, beside.title);
  const prompt = firstPrompt(head);
  const summary =
    customTitle || lastField(tail, "lastPrompt") || lastField(tail, "summary") || prompt || promptKind(head);
  if (!summary) return undefined;
  return {
    sessionId,
    summary,
    lastModified: ends.mtime,
    fileSize: ends.size,
    customTitle,
    firstPrompt: prompt,
    gitBranch: lastText(tail, "gitBranch") || firstText(head, "gitBranch") || undefined,
    cwd: relocatedTo(tail) || firstText(head, "cwd") || beside.projectPath,
    tag: lastField(tail, "tag", "tag") || undefined,
    createdAt: dateOf(firstText(head, "timestamp")),
    archived: isArchived(beside.mark, ends),
  };
}

/** The title found in the ends of a transcript; the user's takes precedence over a generated one. */
export function titleIn({ head, tail }: Ends, beside?: string): string | undefined {
  return (
    lastField(tail, "customTitle", "custom-title") ||
    beside ||
    lastField(head, "customTitle", "custom-title") ||
    lastField(tail, "aiTitle", "ai-title") ||
    lastField(head, "aiTitle", "ai-title") ||
    undefined
  );
}

/** The folder that a session was moved to. */
export const relocatedTo = (tail: string): string | undefined => lastField(tail, "relocatedCwd", "relocated");

/** Milliseconds since 1970; undefined if it is not a date. */
export function dateOf(text: unknown): number | undefined {
  const date = typeof text === "string" ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : date;
}
