import type { Session } from "@agentwire/api";
import { useEffect, useRef, useState } from "preact/hooks";
import type { PageName, Route } from "../route.ts";
import { folderName, statusWords, titleOfSession } from "../text/words.ts";
import type { ViewProps } from "./shell.tsx";
import { useTypingPause } from "./use-typing-pause.ts";

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly route: Route;
}

const TITLES: Readonly<Record<PageName, string>> = {
  new: "New session",
  home: "Home",
  local: "Claude Code sessions",
  health: "Health",
  nodes: "Nodes",
  usage: "Usage",
  rules: "Rules",
  mcp: "MCP servers",
  hooks: "Hooks",
  device: "This device: notifications, density",
};
const PLACES = Object.entries(TITLES).map(
  ([id, title]): Entry => ({ id, title, about: "page", route: { view: id as PageName } }),
);

const SHOWN = 30;

/** Goes to a session or page by part of its name: arrow keys choose, Enter opens, Escape closes. */
export function Palette({ app, state, onClose }: ViewProps & { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [query, setQuery] = useState("");
  const [sessions, setSessions] = useState<readonly Session[]>(state.sessions);
  const [at, setAt] = useState(0);
  useEffect(() => dialog.current?.showModal(), []);
  useTypingPause(query, async (signal) => {
    const page = { byAttention: true, pageSize: SHOWN, search: query };
    setSessions((await app.client.sessions.listSessions(page, { signal })).sessions);
  });
  const wanted = query.trim().toLowerCase();
  const entries = [
    ...[...sessions.map(entryOf), ...PLACES]
      .filter(({ title, about }) => `${title} ${about}`.toLowerCase().includes(wanted))
      .slice(0, SHOWN),
    ...(wanted === "" ? [] : [searchFor(query.trim())]),
  ];
  const chosen = Math.min(at, entries.length - 1);
  const go = (entry: Entry | undefined) => {
    if (!entry) return;
    app.go(entry.route);
    dialog.current?.close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setAt((chosen + 1) % Math.max(1, entries.length));
    else if (event.key === "ArrowUp") setAt((chosen + entries.length - 1) % Math.max(1, entries.length));
    else if (event.key === "Enter") go(entries[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} class="palette" onClose={onClose} aria-label="Go to">
      <input
        role="combobox"
        aria-label="Go to a session or page"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={chosen >= 0 ? `palette-${chosen}` : undefined}
        placeholder="Go to a session or page"
        value={query}
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-list" class="palette-list" role="listbox" aria-label="Sessions and pages">
        {entries.map((entry, index) => (
          <div
            key={entry.id}
            id={`palette-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onPointerUp={() => go(entry)}
          >
            <span class="palette-title">{entry.title}</span>{" "}
            <span class="suggested-about">{entry.about}</span>
          </div>
        ))}
      </div>
    </dialog>
  );
}

/** An entry that opens the full-text search. */
const searchFor = (query: string): Entry => ({
  id: "search",
  title: `Search everything for “${query}”`,
  about: "page",
  route: { view: "search", query },
});

const entryOf = (session: Session): Entry => ({
  id: session.id,
  title: titleOfSession(session),
  about: `${statusWords(session).label} · ${folderName(session.cwd)}`,
  route: { view: "session", id: session.id },
});
