import type { Question } from "@agentwire/api";
import type { SessionRecord } from "../store/session-record.ts";

/** News about a session for people who may not be watching it. */
export type SessionNews = { readonly record: SessionRecord } & (
  | { readonly kind: "asks"; readonly question: Question }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "done" }
);
