import { newTaskId } from "../../tasks/ids.ts";
import type { TaskEnd } from "../../tasks/tasks.ts";
import type { ToolContext, ToolOutcome } from "../tool.ts";
import { backgroundOutcome, finishCommand, lateOutcome } from "./background.ts";
import { insideOf, REPORTING, startCommand } from "./command.ts";
import { type BashInput, beginsWithSleep } from "./input.ts";
import { tellOutput } from "./live-output.ts";
import { outcomeOf } from "./outcome.ts";
import { capture, OutputFiles, readImage, releaseFiles } from "./output-files.ts";
import { reportProgress } from "./progress.ts";
import { type CommandEnd, supervise } from "./supervise.ts";
import { ensureFolder, followFolder } from "./working-folder.ts";

const [OUTPUT, FOLDER] = [0, 1] as const;
const MAX_FOLDER_BYTES = 64 * 1024;
/** How long a command may continue after it was moved to the background because it took too long. */
const MAX_OVERTIME_MS = 30 * 60_000;

/** Runs a command while the conversation waits: until it ends, the host moves it to the background, or its time is up. */
export async function runInForeground(input: BashInput, context: ToolContext): Promise<ToolOutcome> {
  const { tasks, outputFolder } = context.workspace;
  const id = newTaskId("b", tasks);
  const names = [`${id}.txt`, `${id}.folder`];
  const files = new OutputFiles(outputFolder, ...names);
  // Both outputs go to one file, so that the model sees them in the order they were written.
  const [output = -1, folder = -1] = files.descriptors;
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
      ownEnvironment: context.environment,
      groups: tasks.groups,
      outputFolder,
      inside: insideOf(input, context),
      descriptors: [output, output, folder],
      files: names,
    });
    group = command.group;
    const { timeoutMs } = input;
    const mayContinue = !context.workspace.singleShot && !beginsWithSleep(input.command);
    const supervised = supervise(command, files, {
      signal: context.signal,
      ...(!mayContinue && { timeoutMs }),
    });
    const { command: text, description } = input;
    const { stop } = supervised;
    const report = reportProgress({ id, command: text, description, outputFile: files.path, stop }, context);
    const fallSilent = tellOutput(files, context);
    const patience = mayContinue ? timeLimit(timeoutMs) : undefined;
    const done = patience ? Promise.race([supervised.ended, patience.over]) : supervised.ended;
    const end = await tasks.waitFor(context.callId, done).finally(() => {
      fallSilent();
      patience?.clear();
    });
    if (end === "detached" || end === "late") {
      isDetached = true;
      supervised.release(end === "late" ? MAX_OVERTIME_MS : undefined);
      const task = report.moveToBackground();
      const gone = finishCommand(context.workspace, task, { supervised, files, group });
      task.stop = async () => {
        await stop();
        await gone;
      };
      if (end === "detached") return backgroundOutcome(task, true);
      return lateOutcome(task, capture(files, OUTPUT).text, timeoutMs);
    }
    report.end(statusOf(end));
    if (end.cause === "interrupt") context.signal.throwIfAborted();
    return collect(input, end, files, context, { moved, denied: command.violations() });
  } finally {
    if (group === undefined) files.close();
    else if (!isDetached) releaseFiles(files, group, tasks.groups);
  }
}

function collect(
  input: BashInput,
  end: CommandEnd,
  files: OutputFiles,
  { workspace, sandboxed }: ToolContext,
  { moved, denied }: { readonly moved: string | undefined; readonly denied: readonly string[] },
): ToolOutcome {
  files.trim();
  const output = capture(files, OUTPUT);
  const image = readImage(files);
  const folder = files.read(FOLDER, MAX_FOLDER_BYTES).toString("utf8").replace(/\n$/, "");
  const reset = folder === "" ? undefined : followFolder(workspace, folder);
  const kept = !image && output.isCut ? keep(files) : undefined;
  const notes = [moved, reset].filter((note) => note !== undefined);
  const { sandbox } = workspace;
  const isOut = !sandboxed && sandbox?.place(input.command, input.wantsOut) === "override";
  return outcomeOf({ ...input, end, output, image, kept, notes, denied, isOut });
}

function timeLimit(ms: number) {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), ms);
  });
  return { over, clear: () => clearTimeout(timer) };
}

function keep(files: OutputFiles) {
  files.keep();
  return { path: files.path, bytes: files.size(OUTPUT) };
}

function statusOf({ code, cause }: CommandEnd): TaskEnd {
  if (cause === "interrupt" || cause === "stop") return "stopped";
  return cause === "exit" && code === 0 ? "completed" : "failed";
}
