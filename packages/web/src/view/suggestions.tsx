import { WorkspaceService } from "@agentwire/api";
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { textOfError } from "../client.ts";
import type { Trigger } from "../text/trigger.ts";
import { useTypingPause } from "./use-typing-pause.ts";

/** Something that can be put in. */
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
  /** Set to what hears keys before the field does, and says whether it was meant. */
  readonly keys: RefObject<((event: KeyboardEvent) => boolean) | null>;
  /** Told which one is chosen, for the field's description. */
  readonly onActive: (id: string | undefined) => void;
}

const SHOWN = 50;
const PAUSE_MS = 40;

/** The commands, files and subagents that fit what is being typed; arrows choose, Enter or Tab puts one in, Escape closes. */
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
  useEffect(
    () => () => {
      keys.current = null;
    },
    [],
  );
  if (problem !== "") return <p class="suggestions why">{problem}</p>;
  if (!found) return <p class="suggestions why">Looking…</p>;
  if (found.length === 0)
    return <p class="suggestions why">{trigger.kind === "file" ? "No file fits." : "No command fits."}</p>;
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
          // The field keeps the focus.
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

/** Those that begin with what was typed come first, then those that hold it. */
function fitting(all: readonly Suggestion[], query: string): readonly Suggestion[] {
  const wanted = query.toLowerCase();
  const nameOf = ({ word }: Suggestion) => word.replace(/^(?:\/|@agent-)/, "").toLowerCase();
  const starts = all.filter((each) => nameOf(each).startsWith(wanted));
  const holds = all.filter((each) => !starts.includes(each) && nameOf(each).includes(wanted));
  return [...starts, ...holds].slice(0, SHOWN);
}
