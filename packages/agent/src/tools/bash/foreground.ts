import { finishCommand } from "../../tasks/background-command.ts";
import { newTaskId } from "../../tasks/ids.ts";
import type { TaskEnd } from "../../tasks/tasks.ts";
import type { ToolContext, ToolOutcome } from "../tool.ts";
import { backgroundOutcome } from "./background-outcome.ts";
import { capture } from "./capture.ts";
import { startCommand } from "./command.ts";
import { readImage } from "./image-output.ts";
import type { BashInput } from "./input.ts";
import { releaseFiles } from "./leftovers.ts";
import { isTooLong, outcomeOf } from "./outcome.ts";
import { OutputFiles } from "./output-files.ts";
import { reportProgress } from "./progress.ts";
import { REPORTING } from "./shell.ts";
import { type CommandEnd, supervise } from "./supervise.ts";
import { ensureFolder, followFolder } from "./working-folder.ts";

const [STDOUT, STDERR, FOLDER] = [0, 1, 2] as const;
const MAX_FOLDER_BYTES = 64 * 1024;

/** Runs a command while the conversation waits, or until the host moves it to the background. */
export async function runInForeground(input: BashInput, context: ToolContext): Promise<ToolOutcome> {
  const { tasks, outputFolder } = context.workspace;
  const id = newTaskId("b", tasks);
  const files = new OutputFiles(outputFolder, `${id}.txt`, 3);
  let group: number | undefined;
  let isDetached = false;
  try {
    const moved = ensureFolder(context.workspace);
    const { env, cwd } = context.workspace;
    const command = await startCommand({
      command: input.command,
      script: REPORTING,
      cwd,
      env,
      groups: tasks.groups,
      descriptors: files.descriptors,
    });
    group = command.group;
    const supervised = supervise(command, files, { timeoutMs: input.timeoutMs, signal: context.signal });
    const { command: text, description } = input;
    const { stop } = supervised;
    const report = reportProgress({ id, command: text, description, outputFile: files.path, stop }, context);
    const end = await tasks.waitFor(context.callId, supervised.ended);
    if (end === "detached") {
      isDetached = true;
      supervised.release();
      const task = report.moveToBackground();
      const gone = finishCommand(context.workspace, task, { supervised, files, group, errorsAt: STDERR });
      task.stop = async () => {
        await stop();
        await gone;
      };
      return backgroundOutcome(task, true);
    }
    report.end(statusOf(end));
    if (end.cause === "interrupt") context.signal.throwIfAborted();
    return await collect(input, end, files, context, moved);
  } finally {
    if (group === undefined) files.close();
    else if (!isDetached) releaseFiles(files, group, tasks.groups);
  }
}

async function collect(
  input: BashInput,
  end: CommandEnd,
  files: OutputFiles,
  { workspace }: ToolContext,
  moved: string | undefined,
): Promise<ToolOutcome> {
  files.trim();
  const stdout = capture(files, STDOUT);
  const stderr = capture(files, STDERR);
  const image = readImage(files);
  const folder = files.read(FOLDER, MAX_FOLDER_BYTES).toString("utf8").replace(/\n$/, "");
  const reset = folder === "" ? undefined : followFolder(workspace, folder);
  const kept = !image && isTooLong(stdout, stderr) ? await keep(files) : undefined;
  const notes = [moved, reset].filter((note) => note !== undefined);
  return outcomeOf({ ...input, end, stdout, stderr, image, kept, notes });
}

async function keep(files: OutputFiles) {
  files.keep();
  await files.append(STDERR);
  return { path: files.path, bytes: files.size(STDOUT) };
}

function statusOf({ code, cause }: CommandEnd): TaskEnd {
  if (cause === "interrupt" || cause === "stop") return "stopped";
  return cause === "exit" && code === 0 ? "completed" : "failed";
}
