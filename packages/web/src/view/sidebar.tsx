import type { Session } from "@agentwire/api";
import { Fragment } from "preact";
import { useState } from "preact/hooks";
import { groupByFolder, isGroupedByFolder } from "../preferences.ts";
import { hrefOf, type Route } from "../route.ts";
import type { Filter, State } from "../state.ts";
import { ago, cost, folderName, statusWords, titleOfSession } from "../text/words.ts";
import { Icon, type IconName } from "./icon.tsx";
import { memo } from "./memo.ts";
import type { ViewProps } from "./shell.tsx";

const FILTERS: readonly (readonly [Filter, string])[] = [
  ["all", "All"],
  ["mine", "Mine"],
  ["asking", "Asking"],
  ["running", "Running"],
  ["failed", "Failed"],
  ["archived", "Archived"],
];

/** The list of sessions, those that need attention first, and links to all pages. */
export function Sidebar({ app, state }: ViewProps) {
  const { route, search, filter, waiting, hasMoreSessions } = state;
  const sessions = withLiveStatus(state);
  const [isGrouped, setGrouped] = useState(isGroupedByFolder);
  const openId = route.view === "session" ? route.id : "";
  return (
    <div class="sidebar">
      <header class="brand">
        <a href="#/" aria-label="agentwire home">
          <img src="/icon.svg" alt="" width="24" height="24" /> agentwire
        </a>
        <a class="button primary small" href={hrefOf({ view: "new" })}>
          New session
        </a>
      </header>
      <search>
        <div class="search-row">
          <input
            type="search"
            aria-label="Search sessions"
            placeholder="Search"
            title="Search titles, folders and first prompts; Enter searches all messages"
            value={search}
            onInput={(event) => app.search(event.currentTarget.value)}
            onKeyDown={(event) => event.key === "Enter" && app.go({ view: "search", query: search })}
          />
          <select
            aria-label="Sessions to show"
            value={filter}
            onChange={({ currentTarget: { value } }) =>
              app.filter(FILTERS.find(([name]) => name === value)?.[0] ?? "all")
            }
          >
            {FILTERS.map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <label class="grouping">
          <input
            type="checkbox"
            checked={isGrouped}
            onChange={(event) => {
              groupByFolder(event.currentTarget.checked);
              setGrouped(event.currentTarget.checked);
            }}
          />{" "}
          By folder
        </label>
      </search>
      <p class="waiting" role="status">
        {waiting.length > 0 &&
          `${waiting.length} ${waiting.length === 1 ? "question is" : "questions are"} waiting for you`}
      </p>
      <nav aria-label="Sessions" class="session-list">
        {groupsOf(sessions, isGrouped).map(([name, members]) => (
          <Fragment key={name}>
            {name !== "" && (
              <h2 class="group-name" title={name}>
                {folderName(name)}
              </h2>
            )}
            <ul aria-label={name === "" ? undefined : folderName(name)}>
              {members.map((session) => (
                <li key={session.id}>
                  <SessionRow
                    session={session}
                    isOpen={session.id === openId}
                    age={ago(session, Date.now())}
                  />
                </li>
              ))}
            </ul>
          </Fragment>
        ))}
        {sessions.length === 0 && (
          <p class="empty">
            {search === "" && filter === "all" ? "No sessions yet." : "No matching sessions."}
          </p>
        )}
        {hasMoreSessions && (
          <button type="button" class="quiet" onClick={() => app.showMoreSessions()}>
            Show more
          </button>
        )}
      </nav>
      <nav aria-label="Pages" class="places">
        <NavLink route={{ view: "search", query: search }} at={route} label="Search" icon="search" />
        <NavLink route={{ view: "local" }} at={route} label="Claude" icon="folder" />
        <NavLink route={{ view: "health" }} at={route} label="Health" icon="activity" />
        <NavLink route={{ view: "usage" }} at={route} label="Usage" icon="chart" />
        <NavLink route={{ view: "rules" }} at={route} label="Rules" icon="shield" />
        <NavLink route={{ view: "device" }} at={route} label="Device" icon="sliders" />
      </nav>
    </div>
  );
}

const PINNED = "Pinned";

/** Groups sessions by folder, in order of each folder's first session, with pinned sessions first. A single group if grouping is off. */
function groupsOf(
  sessions: readonly Session[],
  isGrouped: boolean,
): readonly (readonly [name: string, members: readonly Session[]])[] {
  if (!isGrouped) return [["", sessions]];
  const groups = new Map<string, Session[]>();
  for (const session of sessions) {
    const name = session.pinned ? PINNED : session.cwd;
    groups.set(name, [...(groups.get(name) ?? []), session]);
  }
  return [...groups];
}

/** The list is only polled, so the open session's status is taken from its live view. */
function withLiveStatus({ sessions, open }: State): readonly Session[] {
  const view = open?.view;
  if (view?.type !== "open") return sessions;
  const { status, turnFailure } = view.facts;
  return sessions.map((session) => (session.id === open?.id ? { ...session, status, turnFailure } : session));
}

function NavLink({
  route,
  at,
  label,
  icon,
}: {
  readonly route: Route;
  readonly at: Route;
  readonly label: string;
  readonly icon: IconName;
}) {
  return (
    <a href={hrefOf(route)} aria-current={route.view === at.view ? "page" : undefined}>
      <Icon of={icon} /> {label}
    </a>
  );
}

interface RowProps {
  readonly session: Session;
  readonly isOpen: boolean;
  readonly age: string;
}

const SessionRow = memo(({ session, isOpen, age }: RowProps) => {
  const { label, tone } = statusWords(session);
  const price = cost(session.usage);
  const model = session.model || session.lastModel;
  return (
    <a
      class="session-row"
      href={hrefOf({ view: "session", id: session.id })}
      aria-current={isOpen ? "page" : undefined}
    >
      <span class="row-title">
        {session.pinned && (
          <span class="pin" role="img" aria-label="Pinned">
            ★
          </span>
        )}{" "}
        {titleOfSession(session)}
      </span>
      <span class="row-age">{age}</span>
      <span class="row-facts">
        <span class={`status ${tone}`}>
          {session.openQuestions > 1 ? `${label} ${session.openQuestions} questions` : label}
        </span>
        <span class="row-folder" title={session.cwd}>
          {folderName(session.cwd)}
        </span>
        {model !== "" && <span>{model}</span>}
        {session.queuedPrompts > 0 && <span>{session.queuedPrompts} queued</span>}
        {price !== "" && <span class="row-price">{price}</span>}
      </span>
    </a>
  );
});
