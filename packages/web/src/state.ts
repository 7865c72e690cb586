import type { HealthDetailsResponse, Question, Session } from "@agentwire/api";
import type { Route } from "./route.ts";
import type { SessionView } from "./session/open-session.ts";

/** A short notice, with something the user may do about it. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: "quiet" | "error";
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** Which sessions are listed. */
export type Filter = "all" | "mine" | "asking" | "running" | "failed" | "archived";

/** Everything that is on the screen, but for what people are typing. */
export interface State {
  readonly route: Route;
  /** Undefined until the daemon has answered for the first time. */
  readonly isSignedIn: boolean | undefined;
  readonly signInError: string;
  /** Whether the daemon answered the last time it was asked. */
  readonly isReachable: boolean;
  /** Those that need attention first. */
  readonly sessions: readonly Session[];
  readonly hasMoreSessions: boolean;
  readonly search: string;
  readonly filter: Filter;
  /** Open questions, in any session. */
  readonly waiting: readonly Question[];
  readonly open: { readonly id: string; readonly view: SessionView } | undefined;
  readonly health: HealthDetailsResponse | undefined;
  readonly toasts: readonly Toast[];
}

/** Before anything is known. */
export const newState = (route: Route): State => ({
  route,
  isSignedIn: undefined,
  signInError: "",
  isReachable: true,
  sessions: [],
  hasMoreSessions: false,
  search: "",
  filter: "all",
  waiting: [],
  open: undefined,
  health: undefined,
  toasts: [],
});

/** What the browser's tab is called: what waits comes first, for a tab shows little. */
export function titleOf({ waiting, open }: State): string {
  const count = waiting.length > 0 ? `(${waiting.length}) ` : "";
  const name = open?.view.type === "open" ? open.view.facts.session.title : "";
  return `${count}${name === "" ? "agentwire" : `${name} · agentwire`}`;
}
