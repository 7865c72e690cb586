import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { reportProgress } from "../../../src/tools/bash/progress.ts";
import { newWorkbench } from "./workbench.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function begin() {
  const bench = await newWorkbench();
  const waitedFor = {
    id: "b12345678",
    command: "make",
    description: "build",
    outputFile: "o.txt",
    stop: vi.fn(),
  };
  const report = reportProgress(waitedFor, { callId: "toolu_1", workspace: bench.workspace });
  return { ...bench, ...report, stop: waitedFor.stop };
}

describe("progress of a command in the foreground", () => {
  test("a short command is not reported", async () => {
    const { notices, end } = await begin();
    vi.advanceTimersByTime(2_900);
    end("completed");
    vi.advanceTimersByTime(60_000);
    expect(notices).toEqual([]);
  });

  test("a command of more than three seconds is a task with a start and an end", async () => {
    const { notices, end } = await begin();
    vi.advanceTimersByTime(3_000);
    expect(notices).toEqual([
      {
        type: "system",
        subtype: "task_started",
        task_id: "b12345678",
        run_id: expect.stringMatching(/^[0-9a-z]{9}-[0-9a-f]{8}$/),
        tool_use_id: "toolu_1",
        description: "build",
        is_backgrounded: false,
        task_type: "local_bash",
      },
    ]);
    end("completed");
    expect(notices[1]).toMatchObject({
      subtype: "task_notification",
      task_id: "b12345678",
      tool_use_id: "toolu_1",
      status: "completed",
      output_file: "",
      summary: "build",
    });
  });

  test("a heartbeat is sent every thirty seconds", async () => {
    const { notices, end } = await begin();
    vi.advanceTimersByTime(60_000);
    end("completed");
    expect(notices.filter(({ type }) => type === "tool_progress")).toEqual(
      [0, 1].map((beat) => ({
        type: "tool_progress",
        tool_use_id: `toolu_1-heartbeat-${beat}`,
        tool_name: "Bash",
        parent_tool_use_id: "toolu_1",
        elapsed_time_seconds: 30 * (beat + 1),
        heartbeat: true,
      })),
    );
  });

  test("a command that is a task can be stopped by its id, and is not a background task", async () => {
    const { workspace, end, stop } = await begin();
    vi.advanceTimersByTime(3_000);
    await workspace.tasks.get("b12345678")?.stop();
    expect(stop).toHaveBeenCalled();
    expect(workspace.tasks.get("b12345678")?.foreground).toBe(true);
    end("stopped");
    expect(workspace.tasks.running()).toEqual([]);
  });

  test("a command that is a task can move to the background", async () => {
    const { workspace, notices, moveToBackground } = await begin();
    vi.advanceTimersByTime(3_100);
    expect(moveToBackground()).toMatchObject({ id: "b12345678", foreground: false });
    vi.advanceTimersByTime(60_000);
    expect(notices.slice(1)).toMatchObject([
      { subtype: "task_updated", task_id: "b12345678", patch: { is_backgrounded: true } },
      { subtype: "background_tasks_changed", tasks: [{ task_id: "b12345678" }] },
    ]);
    for (const task of workspace.tasks.running()) workspace.tasks.end(task, "completed");
  });
});
