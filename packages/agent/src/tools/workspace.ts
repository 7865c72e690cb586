import { projectKey } from "@agentwire/local/transcript";
import type { Checkpoints } from "../checkpoint/checkpoints.ts";
import type { Config } from "../config/config.ts";
import { outputFolder } from "../files/output-folder.ts";
import type { Notice, Outlet } from "../host/outlet.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { Tasks } from "../tasks/tasks.ts";
import { FileStates } from "./file-states.ts";
import type { Hunk } from "./patch.ts";
import { TodoList } from "./todo-list.ts";

/** A copy of the project to work in instead of the project itself. */
export interface WorktreePlace {
  readonly path: string;
  /** The folder that it replaces. */
  readonly origin: string;
}

/** What the tools of one session share: the current directory and what they know about the project. */
export interface Workspace {
  /** The current directory, for relative paths and commands; Bash may change it. */
  cwd: string;
  /** Folders that count as the project: the first is where the session started, or its worktree. */
  roots: readonly string[];
  worktree?: WorktreePlace | undefined;
  readonly home: string;
  /** The environment of child processes. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Stores output that is too long for the conversation; created on first use. */
  readonly outputFolder: string;
  /** Set if the session ends with its first answer, so that later results would be lost. */
  readonly singleShot?: true;
  /** Set if the host wants the output of a command while it runs. */
  readonly tellsOutput?: true;
  /** Where commands run. */
  readonly sandbox?: Sandbox;
  readonly files: FileStates;
  readonly tasks: Tasks;
  readonly todos: TodoList;
  readonly edited: EditedLines;
  /** Called before a file is changed, so that it can be restored. */
  beforeChange(path: string): Promise<void>;
  /** Called before a call that may change anything in the folder. */
  beforeCall?(folder: string): Promise<void>;
  /** Sends the host a notice besides the tool's result. */
  tell(notice: Notice): void;
}

/** Creates what the tools of a session share. */
export function createWorkspace(
  config: Config,
  outlet: Outlet,
  checkpoints: Checkpoints,
  folderName: string,
  sandbox: Sandbox,
): Workspace {
  const { cwd, home, env, temporaryFolder, addedFolders } = config;
  return {
    cwd,
    roots: [cwd, ...addedFolders],
    home,
    env,
    outputFolder: outputFolder(temporaryFolder, projectKey(cwd), folderName),
    ...(!config.talks && config.mode !== "repl" && { singleShot: true }),
    ...(config.tellsOutput && { tellsOutput: true }),
    sandbox,
    files: new FileStates(),
    tasks: new Tasks(),
    todos: new TodoList(),
    edited: new EditedLines(),
    beforeChange: (path) => {
      sandbox.outdate();
      return checkpoints.beforeChange(path);
    },
    beforeCall: (folder) => checkpoints.beforeCall(folder),
    tell: outlet.tell,
  };
}

/** Counts the lines that the tools of a session have added to files and removed from them. */
export class EditedLines {
  #added = 0;
  #removed = 0;

  get added(): number {
    return this.#added;
  }

  get removed(): number {
    return this.#removed;
  }

  /** Counts the lines of a patch. */
  note(patch: readonly Hunk[]): void {
    for (const { lines } of patch) {
      this.#added += lines.filter((line) => line.startsWith("+")).length;
      this.#removed += lines.filter((line) => line.startsWith("-")).length;
    }
  }

  /** Counts the lines of a new file. */
  noteCreated(text: string): void {
    this.#added += lineCount(text);
  }

  /** Starts counting from zero. */
  clear(): void {
    this.#added = 0;
    this.#removed = 0;
  }
}

/** A last line counts even without a line ending. */
function lineCount(text: string): number {
  return text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
