import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readOutputTail } from "../../src/tasks/output-tail.ts";
import { bashTool } from "../../src/tools/bash/bash.ts";
import { taskOutputTool } from "../../src/tools/task-output.ts";
import { taskStopTool } from "../../src/tools/task-stop.ts";
import { isAlive, newWorkbench, type Workbench } from "../tools/bash/workbench.ts";

const bash = bashTool();

async function start(bench: Workbench, command: string): Promise<string> {
  const { data } = await bench.call(bash, { command, description: "job", run_in_background: true });
  return (data as { backgroundTaskId: string }).backgroundTaskId;
}

function ended({ workspace }: Workbench): Promise<{ readonly id: string; readonly summary: string }> {
  return new Promise((resolve) => {
    workspace.tasks.onEnded = ({ id }, summary) => resolve({ id, summary });
  });
}

async function firstLine(bench: Workbench, id: string): Promise<string> {
  const path = bench.workspace.tasks.get(id)?.outputFile ?? "";
  for (;;) {
    const [line, rest] = (await readFile(path, "utf8")).split("\n");
    if (line !== undefined && rest !== undefined) return line;
  }
}

describe("a command in the background", () => {
  test("returns at once, and its start and end are reported", async () => {
    const bench = await newWorkbench();
    const end = ended(bench);
    const { content, data } = await bench.call(bash, {
      command: "sleep 0.1; echo out; echo err >&2",
      description: "job",
      run_in_background: true,
    });
    const { backgroundTaskId: id, ...rest } = data as Record<string, unknown>;
    expect(id).toMatch(/^b[0-9a-z]{8}$/);
    expect(rest).toEqual({
      stdout: "",
      stderr: "",
      interrupted: false,
      isImage: false,
      noOutputExpected: false,
    });
    expect(content).toContain(id);
    expect(await end).toEqual({ id, summary: 'Background command "job" completed (exit code 0)' });

    const ids = { task_id: id, run_id: expect.any(String) };
    const outputFile = `${bench.workspace.outputFolder}/${id}.output`;
    expect(bench.notices).toEqual([
      {
        type: "system",
        subtype: "background_tasks_changed",
        tasks: [{ ...ids, task_type: "local_bash", description: "job" }],
      },
      {
        type: "system",
        subtype: "task_started",
        ...ids,
        tool_use_id: "toolu_1",
        description: "job",
        is_backgrounded: true,
        task_type: "local_bash",
      },
      {
        type: "system",
        subtype: "task_updated",
        ...ids,
        patch: { status: "completed", end_time: expect.any(Number) },
      },
      {
        type: "system",
        subtype: "task_notification",
        ...ids,
        tool_use_id: "toolu_1",
        status: "completed",
        output_file: outputFile,
        summary: 'Background command "job" completed (exit code 0)',
      },
      { type: "system", subtype: "background_tasks_changed", tasks: [] },
    ]);
    expect(await readFile(outputFile, "utf8")).toBe("out\nerr\n");
  });

  test("fails with its exit code", async () => {
    const bench = await newWorkbench();
    const end = ended(bench);
    const id = await start(bench, "exit 7");
    expect((await end).summary).toContain("exit code 7");
    expect(bench.workspace.tasks.get(id)).toMatchObject({ status: "failed", exitCode: 7 });
  });

  test("may start with a sleep, and does not change the working folder", async () => {
    const bench = await newWorkbench();
    const end = ended(bench);
    await start(bench, "cd /; sleep 0.01");
    await end;
    expect(bench.workspace.cwd).toBe(bench.folder);
  });

  test("is stopped if it prints too much", async () => {
    const bench = await newWorkbench();
    const end = ended(bench);
    const id = await start(bench, "yes");
    expect((await end).summary).toContain("printed too much");
    expect((await readOutputTail(bench.workspace.tasks.get(id)?.outputFile ?? "")).total_bytes).toBe(
      64 * 1024 * 1024,
    );
  });

  test("is stopped by TaskStop with its processes, without a turn about it", async () => {
    const bench = await newWorkbench();
    bench.workspace.tasks.onEnded = () => expect.unreachable();
    const command = "trap '' TERM; sleep 1000 & echo $!; wait; wait";
    const id = await start(bench, command);
    const pid = Number(await firstLine(bench, id));
    expect(await isAlive(pid)).toBe(true);
    const { data } = await bench.call(taskStopTool(), { task_id: id });
    expect(data).toEqual({
      message: expect.stringContaining(id),
      task_id: id,
      task_type: "local_bash",
      command,
    });
    expect(await isAlive(pid)).toBe(false);
    expect(bench.notices).toContainEqual(
      expect.objectContaining({
        subtype: "task_updated",
        patch: expect.objectContaining({ status: "killed" }),
      }),
    );
    expect(bench.notices).toContainEqual(
      expect.objectContaining({ subtype: "task_notification", task_id: id, status: "stopped" }),
    );
    expect(await bench.call(taskStopTool(), { shell_id: id })).toMatchObject({ isError: true });
  });

  test.each([{}, { task_id: "bnone" }])("rejects %j as the input of TaskStop", async (input) => {
    const bench = await newWorkbench();
    expect(await bench.call(taskStopTool(), input)).toMatchObject({ isError: true });
  });
});

describe("TaskOutput", () => {
  test("waits for the end and returns only new output", async () => {
    const bench = await newWorkbench();
    const tool = taskOutputTool();
    const id = await start(bench, "echo one; until [ -e go ]; do sleep 0.02; done; echo two; exit 3");
    await firstLine(bench, id);
    const early = await bench.call(tool, { task_id: id, block: false });
    expect(early.data).toMatchObject({
      retrieval_status: "not_ready",
      task: { status: "running", output: "one\n" },
    });
    await writeFile(join(bench.folder, "go"), "");
    const late = await bench.call(tool, { task_id: id, block: true, timeout: 30_000 });
    expect(late.data).toEqual({
      retrieval_status: "success",
      task: {
        task_id: id,
        task_type: "local_bash",
        status: "failed",
        description: "job",
        output: "two\n",
        exitCode: 3,
      },
    });
    expect(late.content).toContain("<exit_code>3</exit_code>");
  });

  test("stops waiting at its timeout and at an interrupt", async () => {
    const bench = await newWorkbench();
    const id = await start(bench, "sleep 1000");
    const { data } = await bench.call(taskOutputTool(), { task_id: id, timeout: 10 });
    expect(data).toMatchObject({ retrieval_status: "timeout" });
    const interrupt = new AbortController();
    const waiting = bench.call(taskOutputTool(), { task_id: id, timeout: 30_000 }, interrupt.signal);
    interrupt.abort(new Error("interrupted"));
    await expect(waiting).rejects.toThrow("interrupted");
  });

  test("shows the end of a long output and says what it omits", async () => {
    const bench = await newWorkbench();
    const end = ended(bench);
    const id = await start(bench, "seq 1 20000");
    await end;
    const { data } = await bench.call(taskOutputTool(), { task_id: id });
    const { output } = (data as { task: { output: string } }).task;
    expect(output).toMatch(/^\[78894 bytes left out; .*\]\n/);
    expect(output).toMatch(/\n20000\n$/);
  });
});

describe("the tail of an output", () => {
  test("is at most 8 KiB and starts with a whole character", async () => {
    const bench = await newWorkbench();
    const end = ended(bench);
    const id = await start(bench, "for i in $(seq 5000); do printf ä; done; printf x");
    await end;
    const tail = await readOutputTail(bench.workspace.tasks.get(id)?.outputFile ?? "");
    expect(tail).toEqual({ output: `${"ä".repeat(4095)}x`, total_bytes: 10_001, truncated: true });
  });

  test("of a missing file is empty", async () => {
    expect(await readOutputTail("/nowhere/x")).toEqual({ output: "", total_bytes: 0, truncated: false });
  });
});
