import type { WorkspaceService } from "@agentwire/api";
import type { Client } from "@connectrpc/connect";
import { useEffect, useState } from "preact/hooks";
import { textOfError } from "../client.ts";
import { Icon } from "./icon.tsx";
import { useTypingPause } from "./use-typing-pause.ts";

interface TreeProps {
  readonly workspace: Client<typeof WorkspaceService>;
  readonly sessionId: string;
  readonly chosen: string | undefined;
  readonly onChoose: (path: string) => void;
}

const MOST_FOUND = 100;

/** The folder tree of a session. Folders are loaded when they are opened; a search field finds files by part of their path. */
export function FileTree(props: TreeProps) {
  const { workspace, sessionId, chosen, onChoose } = props;
  const [query, setQuery] = useState("");
  const [found, setFound] = useState<readonly string[] | undefined>(undefined);
  useTypingPause(
    query,
    async (signal) => {
      if (query.trim() === "") return setFound(undefined);
      const { paths } = await workspace.findFiles({ sessionId, query, limit: MOST_FOUND }, { signal });
      setFound(paths.filter((path) => !path.endsWith("/")));
    },
    () => setFound([]),
  );
  return (
    <nav class="changes-files file-tree" aria-label="Files">
      <input
        type="search"
        aria-label="Find a file"
        placeholder="Find a file"
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
      />
      {found ? (
        <ul>
          {found.map((path) => (
            <FileRow key={path} path={path} name={path} chosen={chosen} onChoose={onChoose} />
          ))}
          {found.length === 0 && <li class="why">No files match.</li>}
        </ul>
      ) : (
        <FolderContent {...props} path="" />
      )}
    </nav>
  );
}

function FolderContent(props: TreeProps & { readonly path: string }) {
  const { workspace, sessionId, path, chosen, onChoose } = props;
  const [listed, setListed] = useState<{ readonly names: readonly string[]; readonly truncated: boolean }>();
  const [problem, setProblem] = useState("");
  useEffect(() => {
    workspace.listFiles({ sessionId, path }).then(setListed, (error) => setProblem(textOfError(error)));
  }, [path]);
  if (problem !== "")
    return (
      <p class="why" role="alert">
        {problem}
      </p>
    );
  if (!listed) return <p class="why">Loading…</p>;
  return (
    <ul>
      {listed.names.map((name) =>
        name.endsWith("/") ? (
          <FolderRow key={name} {...props} path={path + name} name={name.slice(0, -1)} />
        ) : (
          <FileRow key={name} path={path + name} name={name} chosen={chosen} onChoose={onChoose} />
        ),
      )}
      {listed.names.length === 0 && <li class="why">No files here.</li>}
      {listed.truncated && <li class="why">More files not shown: type part of a name to find them.</li>}
    </ul>
  );
}

function FolderRow({ name, ...props }: TreeProps & { readonly path: string; readonly name: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <button type="button" class="file-link quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class="caret" aria-hidden="true" />
        <Icon of="folder" />
        <span>{name}</span>
      </button>
      {isOpen && <FolderContent {...props} />}
    </li>
  );
}

interface FileRowProps extends Pick<TreeProps, "chosen" | "onChoose"> {
  readonly path: string;
  readonly name: string;
}

function FileRow({ path, name, chosen, onChoose }: FileRowProps) {
  return (
    <li>
      <button
        type="button"
        class="file-link quiet"
        title={path}
        aria-current={path === chosen}
        onClick={() => onChoose(path)}
      >
        <Icon of="file" />
        <span>{name}</span>
      </button>
    </li>
  );
}
