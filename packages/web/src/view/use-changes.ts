import {
  type GetChangesResponse,
  type GetWorktreeResponse,
  type Session,
  WorkspaceService,
  WorktreeState,
} from "@agentwire/api";
import type { FileEdit } from "@agentwire/view/text";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { textOfError } from "../client.ts";
import { loadTurnEdits, type TurnEdits } from "../session/turn-edits.ts";
import { type PatchedFile, readPatch } from "../text/patch.ts";

/** Which changes to show: uncommitted ones, all since the base, or those of a turn, by its event number. */
export type Scope = "open" | "base" | number;

/** The changes of a session, and actions on them. */
export interface Changes {
  readonly found: GetChangesResponse | undefined;
  readonly work: GetWorktreeResponse | undefined;
  readonly turns: readonly TurnEdits[];
  /** The changed files in a scope; those from git include their hunks as text. */
  readonly filesOf: (scope: Scope) => readonly (FileEdit | PatchedFile)[];
  /** Paths changed by the session's tools. */
  readonly own: ReadonlySet<string>;
  readonly problem: string;
  readonly isBusy: boolean;
  /** Runs an action, then reloads the changes. */
  readonly act: (work: () => Promise<unknown>) => Promise<void>;
}

/** Loads the changes of a session, and reloads them after each action. */
export function useChanges(app: App, session: Session): Changes {
  const sessionId = session.id;
  const workspace = useMemo(() => app.client.connect(WorkspaceService), [app]);
  const [found, setFound] = useState<GetChangesResponse | undefined>(undefined);
  const [work, setWork] = useState<GetWorktreeResponse | undefined>(undefined);
  const [turns, setTurns] = useState<readonly TurnEdits[]>([]);
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const load = async () => {
    const hasBase = session.worktree?.state === WorktreeState.OPEN;
    const [changes, base, edits] = await Promise.all([
      workspace.getChanges({ sessionId }),
      hasBase ? app.client.sessions.getWorktree({ sessionId }) : undefined,
      loadTurnEdits(app.client, sessionId),
    ]);
    setFound(changes);
    setWork(base);
    setTurns(edits);
  };
  const act = async (doing: () => Promise<unknown>) => {
    setBusy(true);
    setProblem("");
    try {
      await doing();
      await load();
    } catch (error) {
      setProblem(textOfError(error));
    }
    setBusy(false);
  };
  useEffect(() => void act(async () => {}), [sessionId]);
  const open = useMemo(() => readPatch(found?.patch ?? ""), [found]);
  const since = useMemo(() => readPatch(work?.patch ?? ""), [work]);
  const root = `${found?.root || session.cwd}/`;
  const own = useMemo(
    () => new Set(turns.flatMap(({ edits }) => edits.map(({ path }) => path.replace(root, "")))),
    [turns, root],
  );
  const filesOf = (scope: Scope) => {
    if (scope === "open") return open;
    if (scope === "base") return since;
    const edits = turns.find(({ seq }) => seq === scope)?.edits ?? [];
    return edits.map((edit) => ({ ...edit, path: edit.path.replace(root, "") }));
  };
  return { found, work, turns, filesOf, own, problem, isBusy, act };
}
