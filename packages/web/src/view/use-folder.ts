import { type ListFoldersResponse, WorkspaceService } from "@agentwire/api";
import { useEffect, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { type FormProblem, problemOf } from "../text/form-problem.ts";

/** How long to wait for further typing before a path is looked up. */
const TYPING_MS = 200;

/** A folder as the daemon sees it. */
export interface SeenFolder {
  /** The requested path. */
  readonly path: string;
  readonly listing: ListFoldersResponse | undefined;
  readonly problem: FormProblem | undefined;
}

/** Lists a folder whenever its path changes; undefined until the daemon has answered for that path. */
export function useFolder(app: App, path: string): SeenFolder | undefined {
  const [seen, setSeen] = useState<SeenFolder>();
  useEffect(() => {
    const timer = setTimeout(
      () => {
        app.client
          .connect(WorkspaceService)
          .listFolders({ path })
          .then(
            (listing) => setSeen({ path, listing, problem: undefined }),
            (error: unknown) => setSeen({ path, listing: undefined, problem: problemOf(error) }),
          );
      },
      seen === undefined ? 0 : TYPING_MS,
    );
    return () => clearTimeout(timer);
  }, [path]);
  return seen?.path === path ? seen : undefined;
}

/** The folders of recent sessions, latest first. */
export function useRecentFolders(app: App): readonly string[] {
  const [recent, setRecent] = useState<readonly string[]>([]);
  useEffect(() => {
    app.client.sessions.listSessions({ pageSize: LOOKED_AT }).then(
      ({ sessions }) =>
        setRecent(
          [...new Set(sessions.map(({ cwd, worktree }) => worktree?.checkout || cwd))].slice(0, MOST),
        ),
      // Errors are reported where the folder itself is listed.
      () => {},
    );
  }, []);
  return recent;
}

const LOOKED_AT = 200;
const MOST = 6;
