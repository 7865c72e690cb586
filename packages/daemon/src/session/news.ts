import type { Question } from "@agentwire/api";
import type { SessionRecord } from "../store/session-record.ts";

/** Something about a session that people may want to know wherever they are. */
export type SessionNews = { readonly record: SessionRecord } & (
  | { readonly kind: "asks"; readonly question: Question }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "done" }
);
