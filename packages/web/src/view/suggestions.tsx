import { WorkspaceService } from "@agentwire/api";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { textOfError } from "../client.ts";
import type { Trigger } from "../text/trigger.ts";
import { useTypingPause } from "./use-typing-pause.ts";

/** A completion to offer. */
interface Suggestion {
  readonly word: string;
  readonly about: string;
}

interface SuggestionsProps {
  readonly app: App;
  readonly sessionId: string;
  readonly trigger: Trigger;
  readonly onPick: (word: string) => void;
  readonly onClose: () => void;
  /** Set to a handler that receives keys before the field does and returns whether it handled them. */
  readonly keys: RefObject<((event: KeyboardEvent) => boolean) | null>;
  /** Called with the id of the highlighted option, for `aria-activedescendant`. */
  readonly onActive: (id: string | undefined) => void;
}

const SHOWN = 50;
const PAUSE_MS = 40;

/** Completions for the typed command, file or subagent: arrow keys choose, Enter or Tab inserts, Escape closes. */
export function Suggestions(props: SuggestionsProps) {
  const { trigger, onPick, onClose, keys, onActive } = props;
  const { found, problem } = useFound(props);
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => setAt(0), [trigger.query, trigger.kind]);
  const chosen = Math.min(at, (found?.length ?? 0) - 1);
  useEffect(() => {
    onActive(chosen >= 0 ? `suggestion-${chosen}` : undefined);
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  useEffect(() => () => onActive(undefined), []);
  keys.current = (event) => {
    const count = found?.length ?? 0;
    if (event.key === "Escape") onClose();
    else if (count === 0 || event.isComposing) return false;
    else if (event.key === "ArrowDown") setAt((chosen + 1) % count);
    else if (event.key === "ArrowUp") setAt((chosen + count - 1) % count);
    else if (
      event.key === "Tab" ||
      (event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.metaKey)
    )
      onPick(found?.[chosen]?.word ?? "");
    else return false;
    return true;
  };
  // At once: a passive effect is cleaned up after the next paint, and a key pressed until then would be lost.
  useLayoutEffect(
    () => () => {
      keys.current = null;
    },
    [],
  );
  if (problem !== "") return <p class="suggestions why">{problem}</p>;
  if (!found) return <p class="suggestions why">Loading…</p>;
  if (found.length === 0)
    return (
      <p class="suggestions why">
        {trigger.kind === "file" ? "No matching files." : "No matching commands."}
      </p>
    );
  return (
    <div
      ref={list}
      id="suggestions"
      class="suggestions"
      role="listbox"
      aria-label={trigger.kind === "file" ? "Files and subagents" : "Commands"}
    >
      {found.map(({ word, about }, index) => (
        <div
          key={word}
          id={`suggestion-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          // Keeps the focus in the prompt field.
          onPointerDown={(event) => event.preventDefault()}
          onPointerUp={() => onPick(word)}
        >
          <span class="suggested">{word}</span> <span class="suggested-about">{about}</span>
        </div>
      ))}
    </div>
  );
}

interface Found {
  readonly found: readonly Suggestion[] | undefined;
  readonly problem: string;
}

function useFound({ app, sessionId, trigger: { kind, query } }: SuggestionsProps): Found {
  const [commands, setCommands] = useState<readonly Suggestion[] | undefined>(undefined);
  const [agents, setAgents] = useState<readonly Suggestion[]>([]);
  const [files, setFiles] = useState<readonly Suggestion[] | undefined>(undefined);
  const [problem, setProblem] = useState("");
  const failed = (error: unknown) => setProblem(textOfError(error));
  useEffect(() => {
    app.client
      .connect(WorkspaceService)
      .listCommands({ sessionId })
      .then(
        (known) => {
          setCommands(
            known.commands.map(({ name, description, argumentHint }) => ({
              word: `/${name}`,
              about: [argumentHint, description].filter(Boolean).join(" · "),
            })),
          );
          setAgents(
            known.agents.map(({ name, description }) => ({ word: `@agent-${name}`, about: description })),
          );
        },
        kind === "command" ? failed : () => {},
      );
  }, [sessionId]);
  useTypingPause(
    `${kind} ${sessionId} ${query}`,
    async (signal) => {
      if (kind !== "file") return;
      const { paths } = await app.client
        .connect(WorkspaceService)
        .findFiles({ sessionId, query, limit: SHOWN }, { signal });
      setFiles(paths.map((path) => ({ word: `@${path}`, about: "" })));
    },
    failed,
    PAUSE_MS,
  );
  if (kind === "command") return { found: commands && fitting(commands, query), problem };
  return { found: files && [...(query === "" ? [] : fitting(agents, query)), ...files], problem };
}

/** The matching suggestions: those that start with the query first, then those that contain it. */
function fitting(all: readonly Suggestion[], query: string): readonly Suggestion[] {
  const wanted = query.toLowerCase();
  const nameOf = ({ word }: Suggestion) => word.replace(/^(?:\/|@agent-)/, "").toLowerCase();
  const starts = all.filter((each) => nameOf(each).startsWith(wanted));
  const holds = all.filter((each) => !starts.includes(each) && nameOf(each).includes(wanted));
  return [...starts, ...holds].slice(0, SHOWN);
}
