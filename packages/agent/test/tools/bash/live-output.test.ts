import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { bashTool } from "../../../src/tools/bash/bash.ts";
import { newWorkbench } from "./workbench.ts";

const outputs = (notices: readonly object[]) =>
  notices.flatMap((notice) => ("output" in notice ? [String(notice.output)] : []));

test("a host that requests it receives a command's output while it runs, and only the end of a large output", async () => {
  const bench = await newWorkbench();
  const { folder, notices, call } = bench;
  Object.assign(bench.workspace, { tellsOutput: true });
  const script = [
    "echo first",
    "until [ -e go ]; do sleep 0.05; done",
    "head -c 100000 /dev/zero | tr '\\0' x; printf 'é last'",
    "until [ -e end ]; do sleep 0.05; done",
  ].join("\n");
  const done = call(bashTool(), { command: script });
  await vi.waitFor(() => expect(outputs(notices)).toEqual(["first\n"]), 30_000);
  expect(notices.at(-1)).toMatchObject({ type: "tool_progress", tool_use_id: "toolu_1", tool_name: "Bash" });
  writeFileSync(join(folder, "go"), "");
  await vi.waitFor(() => expect(outputs(notices).at(-1)).toMatch(/xé last$/), 30_000);
  expect(Math.max(...outputs(notices).map(({ length }) => length))).toBeLessThanOrEqual(4096);
  expect(notices.some((notice) => "output_cut" in notice)).toBe(true);
  writeFileSync(join(folder, "end"), "");
  await done;
  // Hosts that do not request it receive nothing.
  const other = await newWorkbench();
  await other.call(bashTool(), { command: "echo first; sleep 0.5" });
  expect(outputs(other.notices)).toEqual([]);
}, 60_000);
