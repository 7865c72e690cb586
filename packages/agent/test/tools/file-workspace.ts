import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { Tasks } from "../../src/tasks/tasks.ts";
import { checkInput } from "../../src/tools/check-input.ts";
import { FileStates } from "../../src/tools/file-states.ts";
import { fileTools } from "../../src/tools/file-tools.ts";
import { TodoList } from "../../src/tools/todo-list.ts";
import type { ToolOutcome } from "../../src/tools/tool.ts";
import { EditedLines, type Workspace } from "../../src/tools/workspace.ts";

/** A new folder with a workspace, and the file tools that run in it. */
export interface FileWorkspace extends AsyncDisposable {
  readonly folder: string;
  readonly workspace: Workspace;
  /** The paths with which `beforeChange` was called. */
  readonly changes: readonly string[];
  path(name: string): string;
  put(name: string, content: string | Buffer): Promise<string>;
  call(tool: string, input: JsonObject, signal?: AbortSignal): Promise<ToolOutcome>;
}

export async function fileWorkspace(
  files: Readonly<Record<string, string | Buffer>> = {},
): Promise<FileWorkspace> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "agentwire-files-")));
  const changes: string[] = [];
  const workspace: Workspace = {
    cwd: folder,
    roots: [folder],
    home: folder,
    env: {},
    outputFolder: join(folder, ".output"),
    files: new FileStates(),
    tasks: new Tasks(),
    todos: new TodoList(),
    edited: new EditedLines(),
    beforeChange: async (path) => void changes.push(path),
    tell: () => {},
  };
  const path = (name: string) => join(folder, name);
  const put = async (name: string, content: string | Buffer) => {
    await mkdir(dirname(path(name)), { recursive: true });
    await writeFile(path(name), content);
    return path(name);
  };
  for (const [name, content] of Object.entries(files)) await put(name, content);
  const tools = new Map(fileTools().map((tool) => [tool.name, tool]));
  return {
    folder,
    workspace,
    changes,
    path,
    put,
    call: async (name, input, signal = new AbortController().signal) => {
      const tool = tools.get(name);
      if (!tool) throw new Error(`no tool ${name}`);
      const checked = checkInput(tool.inputSchema, input);
      if (!checked.ok) throw new Error(checked.issues.join());
      return tool.run(checked.input, { callId: "toolu_1", workspace, signal });
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The text that the model received from a call. */
export function textOf({ content }: ToolOutcome): string {
  if (typeof content === "string") return content;
  return content.map((block) => ("text" in block ? block.text : `<${block.type}>`)).join("\n");
}
