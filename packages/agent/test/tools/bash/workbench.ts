import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { onTestFinished } from "vitest";
import type { Notice } from "../../../src/host/outlet.ts";
import { Tasks } from "../../../src/tasks/tasks.ts";
import { FileStates } from "../../../src/tools/file-states.ts";
import { TodoList } from "../../../src/tools/todo-list.ts";
import type { Tool, ToolOutcome } from "../../../src/tools/tool.ts";
import { EditedLines, type Workspace } from "../../../src/tools/workspace.ts";

/** A workspace in a new folder, with all messages to its host. Its processes and files are removed after the test. */
export interface Workbench {
  readonly folder: string;
  readonly workspace: Workspace;
  readonly notices: Notice[];
  call(tool: Tool, input: JsonObject, signal?: AbortSignal): Promise<ToolOutcome>;
}

/** Creates a workbench for the current test. */
export async function newWorkbench(): Promise<Workbench> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "agentwire-")));
  const notices: Notice[] = [];
  const workspace: Workspace = {
    cwd: folder,
    roots: [folder],
    home: folder,
    env: { PATH: process.env.PATH, HOME: folder },
    outputFolder: join(folder, "outputs"),
    files: new FileStates(),
    tasks: new Tasks(),
    todos: new TodoList(),
    edited: new EditedLines(),
    beforeChange: async () => {},
    tell: (notice) => notices.push(notice),
  };
  onTestFinished(async () => {
    await workspace.tasks.stopAll();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    folder,
    workspace,
    notices,
    call: (tool, input, signal = new AbortController().signal) =>
      tool.run(input, { callId: "toolu_1", workspace, signal }),
  };
}

/** Whether a process exists and is not a zombie. */
export async function isAlive(pid: number): Promise<boolean> {
  const { readFile } = await import("node:fs/promises");
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  return stat !== undefined && !/^\d+ \(.*\) [ZX]/s.test(stat);
}
