import type { ListFoldersResponse } from "@agentwire/api";
import { useState } from "preact/hooks";
import type { App } from "../app.ts";
import { folderName, many } from "../text/words.ts";
import { FieldProblem } from "./field-problem.tsx";
import { Icon } from "./icon.tsx";
import { type SeenFolder, useRecentFolders } from "./use-folder.ts";

interface FolderPickerProps {
  readonly app: App;
  readonly value: string;
  readonly seen: SeenFolder | undefined;
  /** The error about the folder from the last submission; empty if none. */
  readonly problem: string;
  readonly onChange: (path: string) => void;
}

/** Chooses a folder on the daemon's machine: a recent one, by browsing, or by its path. */
export function FolderPicker({ app, value, seen, problem, onChange }: FolderPickerProps) {
  const recent = useRecentFolders(app);
  const [isBrowsing, setBrowsing] = useState(false);
  const [wasLeft, setLeft] = useState(false);
  const text = problem || (wasLeft && seen?.problem ? seen.problem.text : "");
  const choose = (path: string) => {
    setLeft(true);
    onChange(path);
  };
  return (
    <div class="folder-picker">
      <label for="folder">Folder</label>
      <div class="folder-field">
        <input
          id="folder"
          role="combobox"
          aria-expanded={isBrowsing}
          aria-controls="folder-panel"
          value={value}
          placeholder={seen?.listing?.path ?? "The daemon's working directory"}
          spellcheck={false}
          autocomplete="off"
          {...(text !== "" && { "aria-invalid": true, "aria-describedby": "folder-problem" })}
          onInput={(event) => onChange(event.currentTarget.value)}
          onBlur={() => setLeft(true)}
        />
        <button type="button" aria-expanded={isBrowsing} onClick={() => setBrowsing(!isBrowsing)}>
          <Icon of="folder" /> Browse
        </button>
      </div>
      <FieldProblem id="folder-problem" text={text} />
      {recent.length > 0 && (
        <ul class="recent-folders" aria-label="Recent folders">
          {recent.map((path) => (
            <li key={path}>
              <button
                type="button"
                class="small"
                title={path}
                aria-pressed={path === value}
                onClick={() => choose(path)}
              >
                {folderName(path)}
              </button>
            </li>
          ))}
        </ul>
      )}
      <div id="folder-panel" hidden={!isBrowsing}>
        {isBrowsing && <Browser seen={seen} go={choose} />}
      </div>
    </div>
  );
}

interface BrowserProps {
  readonly seen: SeenFolder | undefined;
  readonly go: (path: string) => void;
}

/** Lists the subfolders of the chosen folder, with a button to go up. */
function Browser({ seen, go }: BrowserProps) {
  const [showsHidden, setShowsHidden] = useState(false);
  const [last, setLast] = useState<ListFoldersResponse>();
  // Keeps the previous listing until the next one is loaded, to avoid flicker.
  if (seen?.listing && seen.listing !== last) setLast(seen.listing);
  const listing = seen?.listing ?? last;
  if (!listing) return <p class="why">{seen?.problem?.text ?? "Loading…"}</p>;
  const { path, parent, folders, truncated } = listing;
  const hidden = folders.filter(({ name }) => name.startsWith("."));
  const shown = showsHidden ? folders : folders.filter((folder) => !hidden.includes(folder));
  return (
    <div class="panel folder-browser">
      <p class="folder-path">
        <code>{path}</code>
        {parent !== "" && (
          <button type="button" class="small" onClick={() => go(parent)}>
            <Icon of="up" /> Up
          </button>
        )}
      </p>
      <ul aria-label="Folders" aria-busy={seen === undefined} onKeyDown={moveFocus}>
        {shown.map(({ name, readable, repository }) => (
          <li key={name}>
            <button
              type="button"
              class="quiet"
              disabled={!readable}
              title={readable ? "" : "The daemon's user can't open this folder"}
              onClick={() => go(`${path === "/" ? "" : path}/${name}`)}
            >
              <Icon of="folder" />
              <span>{name}</span>
              {repository && <span class="tag">git</span>}
              {!readable && <span class="tag">no access</span>}
            </button>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p class="why">No folders here.</p>}
      {truncated && <p class="why">More folders not shown: type the path.</p>}
      {hidden.length > 0 && (
        <label class="check">
          <input
            type="checkbox"
            checked={showsHidden}
            onChange={(event) => setShowsHidden(event.currentTarget.checked)}
          />
          Show {many(hidden.length, "hidden folder")}
        </label>
      )}
    </div>
  );
}

const STEPS: ReadonlyMap<string, number> = new Map([
  ["ArrowDown", 1],
  ["ArrowUp", -1],
]);

function moveFocus(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const step = STEPS.get(event.key);
  if (step === undefined) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>("button:enabled")];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  buttons[at + step]?.focus();
}
