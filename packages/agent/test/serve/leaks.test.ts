import { readdir, readFile } from "node:fs/promises";
import type { ScriptStep } from "@agentwire/models/script";
import { expect, test } from "vitest";
import { startAgent } from "../agent-process.ts";
import { ASKED, bash, newApi } from "../model-source.ts";
import { expectNothingLeft, newPlace } from "../place.ts";
import { answer, asks, isResult, prompt, request } from "../wire.ts";

const [TURNS, WARM_UP] = [300, 100] as const;
const MB = 1024 * 1024;

/** Every kind of turn: only text, a tool with a question, a tool without one, and an interrupted turn. */
const CYCLE: readonly ScriptStep[] = [
  { text: "Just words." },
  { content: [bash("touch asked")] },
  { text: "After a tool." },
  { content: [{ type: "tool_use", name: "Read", input: { file_path: "{{cwd}}/asked" } }] },
  { text: "After reading." },
  { text: "to be cut short", chunkSize: 4, stallAfterChunks: 1 },
];
const [TURNS_PER_CYCLE, INTERRUPTED] = [4, 3] as const;

/** The resources that a process currently uses. */
async function holdings(
  pid: number | undefined,
): Promise<{ readonly bytes: number; readonly files: number }> {
  const [status, files] = await Promise.all([
    readFile(`/proc/${pid}/status`, "utf8"),
    readdir(`/proc/${pid}/fd`),
  ]);
  return { bytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024, files: files.length };
}

test(`${TURNS} turns in one process leak no memory, open files or listeners`, {
  timeout: 60_000,
}, async () => {
  const place = await newPlace();
  const cycles = TURNS / TURNS_PER_CYCLE;
  const api = await newApi({
    steps: Array.from({ length: cycles }, () => CYCLE).flat(),
    variables: { cwd: place.cwd },
  });
  const agent = startAgent(place, {
    args: [...ASKED, "--include-partial-messages"],
    env: {
      ...api.env,
      CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: "true",
      // With much memory, garbage remains uncollected for tens of megabytes; with little, only leaks can grow.
      NODE_OPTIONS: "--max-semi-space-size=1 --max-old-space-size=48",
    },
  });
  agent.onLine = (line) => {
    if (asks("can_use_tool")(line)) agent.send(answer(line.request_id, { behavior: "allow" }));
  };
  const seen: Awaited<ReturnType<typeof holdings>>[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const from = agent.lines.length;
    agent.send(prompt(`turn ${turn}`));
    if (turn % TURNS_PER_CYCLE === INTERRUPTED) {
      await agent.line((line) => JSON.stringify(line).includes("text_delta"), from);
      agent.send(request(`stop-${turn}`, "interrupt"));
    }
    await agent.line(isResult, from);
    seen.push(await holdings(agent.child.pid));
  }
  const [warm, last] = [seen.slice(WARM_UP - 20, WARM_UP), seen.slice(-20)];
  const most = (list: typeof seen, key: "bytes" | "files") => Math.max(...list.map((one) => one[key]));
  expect(most(last, "files") - most(warm, "files"), "open files").toBeLessThanOrEqual(1);
  expect((most(last, "bytes") - most(warm, "bytes")) / MB, "megabytes").toBeLessThan(15);
  expect(agent.complaints()).toBe("");
  expect(api.connections(), "connections to the model").toBeLessThan(TURNS / 2);
  agent.child.stdin.end();
  await agent.ended();
  await expectNothingLeft(place);
});
