import { newRunId, newTaskId } from "../../tasks/ids.ts";
import { beginTask, finishTask } from "../../tasks/notices.ts";
import type { Task, TaskEnd } from "../../tasks/tasks.ts";
import type { ToolContext, ToolOutcome } from "../tool.ts";
import type { Workspace } from "../workspace.ts";
import { AS_JUDGED, insideOf, startCommand } from "./command.ts";
import type { BashInput } from "./input.ts";
import { OutputFiles, releaseFiles } from "./output-files.ts";
import { type CommandEnd, type SupervisedCommand, supervise } from "./supervise.ts";
import { ensureFolder } from "./working-folder.ts";

/** Starts a command that runs alongside the conversation. Interrupts don't affect it: it ends by itself or is stopped. */
export async function startBackgroundCommand(
  { command, description, wantsOut }: Pick<BashInput, "command" | "description" | "wantsOut">,
  context: Pick<ToolContext, "workspace" | "callId" | "environment" | "sandboxed">,
): Promise<Task> {
  const { workspace, callId, environment } = context;
  const { tasks, outputFolder, env } = workspace;
  const id = newTaskId("b", tasks);
  const files = new OutputFiles(outputFolder, `${id}.output`);
  // A reader of the file sees both outputs in the order they were written.
  const descriptors = [...files.descriptors, ...files.descriptors];
  const running = await start();
  const supervised = supervise(running, files, {});
  const task: Task = {
    id,
    type: "local_bash",
    description,
    toolUseId: callId,
    outputFile: files.path,
    runId: newRunId(),
    command,
    status: "running",
    stop: async () => {
      await supervised.stop();
      await finished;
    },
  };
  beginTask(workspace, task);
  const finished = finishCommand(workspace, task, { supervised, files, group: running.group });
  return task;

  async function start() {
    try {
      ensureFolder(workspace);
      return await startCommand({
        command,
        script: AS_JUDGED,
        cwd: workspace.cwd,
        env,
        ownEnvironment: environment,
        groups: tasks.groups,
        outputFolder,
        inside: insideOf({ command, wantsOut }, context),
        descriptors,
      });
    } catch (error) {
      files.close();
      throw error;
    }
  }
}

/** A command that runs in the background, with its output files. */
export interface BackgroundCommand {
  readonly supervised: SupervisedCommand;
  readonly files: OutputFiles;
  readonly group: number;
}

/** Waits for the end of a background command and reports it. */
export async function finishCommand(
  workspace: Workspace,
  task: Task,
  { supervised, files, group }: BackgroundCommand,
): Promise<void> {
  files.keep();
  const end = await supervised.ended;
  files.trim();
  releaseFiles(files, group, workspace.tasks.groups);
  task.exitCode = end.code;
  const [status, words] = describeEnd(end);
  finishTask(workspace, task, status, `Background command "${task.description}" ${words}`);
}

function describeEnd({ code, cause }: CommandEnd): readonly [TaskEnd, string] {
  if (cause === "stop") return ["stopped", "was stopped"];
  if (cause === "timeout") return ["stopped", "was stopped because it took too long"];
  if (cause === "flood") return ["failed", "was stopped because it printed too much"];
  return code === 0 ? ["completed", "completed (exit code 0)"] : ["failed", `failed (exit code ${code})`];
}

/** The outcome of a call whose command runs in the background; `movedByUser` if it did not start there. */
export function backgroundOutcome({ id, outputFile }: Task, movedByUser = false): ToolOutcome {
  const begun = movedByUser
    ? "The user moved the command to the background. Command running in background"
    : "Command running in background";
  return {
    content:
      `${begun} with ID: ${id}. Output is being written to: ${outputFile}. ` +
      "You are told when it ends; until then read that file to see how far it is.",
    data: {
      stdout: "",
      stderr: "",
      interrupted: false,
      isImage: false,
      noOutputExpected: false,
      backgroundTaskId: id,
      ...(movedByUser && { backgroundedByUser: true }),
    },
  };
}

/** The outcome of a call whose command reached its time limit and continues in the background. */
export function lateOutcome({ id, outputFile }: Task, printed: string, timeoutMs: number): ToolOutcome {
  const note =
    `Command running in background with ID: ${id}. Output is being written to: ${outputFile}. ` +
    `It is not done after its timeout of ${timeoutMs / 1000} s, so it goes on; you are told when it ends. Don't start it a ` +
    "second time, and stop it with TaskStop if it is not needed. After half an hour it is stopped.";
  return {
    content: printed === "" ? note : `${printed}\n${note}`,
    data: {
      stdout: printed,
      stderr: "",
      interrupted: false,
      isImage: false,
      noOutputExpected: false,
      backgroundTaskId: id,
      timedOutAfterMs: timeoutMs,
    },
  };
}
