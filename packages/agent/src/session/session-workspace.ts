import { resolve } from "node:path";
import { projectKey } from "@agentwire/local/transcript";
import type { Checkpoints } from "../checkpoint/checkpoints.ts";
import type { Config } from "../config/config.ts";
import { outputFolder } from "../files/output-folder.ts";
import type { Outlet } from "../host/outlet.ts";
import { Tasks } from "../tasks/tasks.ts";
import { EditedLines } from "../tools/edited-lines.ts";
import { FileStates } from "../tools/file-states.ts";
import { TodoList } from "../tools/todo-list.ts";
import type { Workspace } from "../tools/workspace.ts";

/** Makes what the tools of a session share. */
export function sessionWorkspace(
  config: Config,
  outlet: Outlet,
  checkpoints: Checkpoints,
  folderName: string,
): Workspace {
  const { cwd, home, env, temporaryFolder, flags } = config;
  return {
    cwd,
    roots: [cwd, ...flags.list("add-dir").map((folder) => resolve(cwd, folder))],
    home,
    env,
    outputFolder: outputFolder(temporaryFolder, projectKey(cwd), folderName),
    ...(!config.talks && !flags.has("repl") && { singleShot: true }),
    files: new FileStates(),
    tasks: new Tasks(),
    todos: new TodoList(),
    edited: new EditedLines(),
    beforeChange: (path) => checkpoints.beforeChange(path),
    tell: outlet.tell,
  };
}
