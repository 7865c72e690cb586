import { type Session, WorktreeState } from "@agentwire/api";
import type { Facts } from "@agentwire/view/facts";
import { useEffect, useState } from "preact/hooks";
import type { App } from "../app.ts";
import type { SyncState } from "../session/open-session.ts";
import { cost, count, folderName, statusWords, titleOfSession, tokens } from "../text/words.ts";
import { isFree } from "./free-key.ts";
import { lazy } from "./lazy.tsx";
import { RenameForm } from "./rename-form.tsx";
import { SessionMenu } from "./session-menu.tsx";

const ChangesDialog = lazy(async () => (await import("./changes-dialog.tsx")).ChangesDialog);
const FilesDialog = lazy(async () => (await import("./files-dialog.tsx")).FilesDialog);
const ContextDialog = lazy(async () => (await import("./context-dialog.tsx")).ContextDialog);
const WorktreeDialog = lazy(async () => (await import("./worktree-dialog.tsx")).WorktreeDialog);

interface HeadProps {
  readonly app: App;
  readonly session: Session;
  readonly facts: Facts;
  readonly nearness: SyncState;
  /** Toggles the budget. */
  readonly onBudget: () => void;
  /** Toggles the raw-event buttons. */
  readonly onRaw: () => void;
  /** Opens the find bar. */
  readonly onFind: () => void;
}

/** The header of a session: its title, its state and its menu. */
export function SessionHead({ app, session, facts, nearness, onBudget, onRaw, onFind }: HeadProps) {
  const [isRenaming, setRenaming] = useState(false);
  const [isWorktreeShown, setWorktreeShown] = useState(false);
  const [areChangesShown, setChangesShown] = useState(false);
  const [areFilesShown, setFilesShown] = useState(false);
  const [isContextShown, setContextShown] = useState(false);
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (!isFree(event) || document.querySelector("dialog[open]")) return;
      if (event.key === "c") setChangesShown(true);
      else if (event.key === "o") setFilesShown(true);
    };
    document.addEventListener("keydown", hear);
    return () => document.removeEventListener("keydown", hear);
  }, []);
  const { worktree } = session;
  const { label, tone } = statusWords(facts);
  // The usage reported by the last turn is newer than the list's, but may not be loaded.
  const usage = facts.usage?.session ?? session.usage;
  const price = cost(usage);
  const model = facts.info?.model || session.model || session.lastModel;
  return (
    <header class="session-head">
      <a class="back" href="#/" aria-label="All sessions">
        ‹
      </a>
      <div class="head-words">
        {isRenaming ? (
          <RenameForm app={app} session={session} onDone={() => setRenaming(false)} />
        ) : (
          <h1>{titleOfSession(session)}</h1>
        )}
        <p class="head-facts">
          <span class={`status ${tone}`} role="status" data-status={label}>
            {label}
          </span>
          <span title={session.cwd}>{folderName(session.cwd)}</span>
          {worktree && worktree.state !== WorktreeState.OPEN && (
            <span>
              {worktree.state === WorktreeState.MERGED ? `merged into ${worktree.base}` : "worktree removed"}
            </span>
          )}
          {worktree?.state === WorktreeState.OPEN && (
            <button type="button" class="branch" onClick={() => setWorktreeShown(true)}>
              {worktree.branch}
            </button>
          )}
          {model !== "" && <span>{model}</span>}
          {session.permissionMode !== "default" && (
            <span class={session.permissionMode === "bypassPermissions" ? "behind" : ""}>
              {session.permissionMode}
            </span>
          )}
          {usage && tokens(usage) > 0 && <span>{count(tokens(usage))} tokens</span>}
          {price !== "" && <span>{price}</span>}
          {nearness !== "live" && (
            <span class="behind" role="status">
              {nearness === "lost" ? "connection lost, reconnecting" : "catching up"}
            </span>
          )}
        </p>
      </div>
      <button type="button" class="small" onClick={() => setFilesShown(true)}>
        Files
      </button>
      <button type="button" class="small" onClick={() => setChangesShown(true)}>
        Changes
      </button>
      <SessionMenu
        app={app}
        session={session}
        isOpenToAll={facts.input.holder === ""}
        onRename={() => setRenaming(true)}
        onContext={() => setContextShown(true)}
        onBudget={onBudget}
        onRaw={onRaw}
        onFind={onFind}
      />
      {isContextShown && (
        <ContextDialog app={app} sessionId={session.id} onClose={() => setContextShown(false)} />
      )}
      {areFilesShown && <FilesDialog app={app} session={session} onClose={() => setFilesShown(false)} />}
      {areChangesShown && (
        <ChangesDialog app={app} session={session} onClose={() => setChangesShown(false)} />
      )}
      {isWorktreeShown && (
        <WorktreeDialog app={app} session={session} onClose={() => setWorktreeShown(false)} />
      )}
    </header>
  );
}
