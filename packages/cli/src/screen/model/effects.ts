import type { RewindScope } from "@agentwire/api";
import type { Decision } from "../../ask/answer.ts";
import type { Picture } from "./state.ts";

/** Lists that come from the daemon. */
export type ListKind = "sessions" | "models" | "commands";

/** A request of the screen that it can't carry out itself. */
export type Effect =
  | { readonly type: "send"; readonly text: string; readonly pictures: readonly Picture[] }
  | { readonly type: "interrupt" }
  | { readonly type: "decide"; readonly questionId: string; readonly decision: Decision }
  | {
      readonly type: "answer";
      readonly questionId: string;
      readonly answers: Readonly<Record<string, string>>;
    }
  | { readonly type: "mode"; readonly mode: string }
  | { readonly type: "model"; readonly model: string }
  | { readonly type: "list"; readonly kind: ListKind }
  | { readonly type: "find" }
  | { readonly type: "open"; readonly sessionId: string }
  | { readonly type: "new" }
  /** Without a scope, first shows what it would change. */
  | { readonly type: "rewind"; readonly promptId: string; readonly scope?: RewindScope }
  | { readonly type: "trust"; readonly isTrusted: boolean }
  | { readonly type: "paste" }
  | { readonly type: "show"; readonly what: "help" | "folded" | "screen" }
  | { readonly type: "suspend" }
  | { readonly type: "leave" };

/** The result of a key press. */
export interface Pressed<S> {
  readonly state: S;
  readonly effects: readonly Effect[];
}
