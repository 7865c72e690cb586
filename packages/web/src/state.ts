import type { HealthDetailsResponse, Question, Session } from "@agentwire/api";
import type { Route } from "./route.ts";
import type { SessionView } from "./session/open-session.ts";

/** A short message, with an optional action. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: "quiet" | "error";
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** Which sessions the list shows. */
export type Filter = "all" | "mine" | "asking" | "running" | "failed" | "archived";

/** Everything on the screen except what the user is typing. */
export interface State {
  readonly route: Route;
  /** Undefined until the daemon has answered once. */
  readonly isSignedIn: boolean | undefined;
  readonly signInError: string;
  /** Whether the daemon answered the last request. */
  readonly isReachable: boolean;
  /** Sessions that need attention come first. */
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

/** The state before anything is loaded. */
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

/** The title of the browser tab. The number of open questions comes first, because a tab shows only a few characters. */
export function titleOf({ waiting, open }: State): string {
  const count = waiting.length > 0 ? `(${waiting.length}) ` : "";
  const name = open?.view.type === "open" ? open.view.facts.session.title : "";
  return `${count}${name === "" ? "agentwire" : `${name} · agentwire`}`;
}
