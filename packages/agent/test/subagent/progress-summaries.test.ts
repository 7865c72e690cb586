import { setTimeout as delay } from "node:timers/promises";
import type { Script } from "@agentwire/models/script";
import { expect, onTestFinished, test } from "vitest";
import type { Model } from "../../src/model/model.ts";
import { scriptedModel } from "../../src/model/scripted.ts";
import { summariseProgress } from "../../src/subagent/progress-summaries.ts";
import { Costs } from "../../src/turn/costs.ts";
import { History } from "../../src/turn/history.ts";

function summarized(steps: Script["steps"]) {
  const told: string[] = [];
  const history = new History();
  history.add("user", "find the bug");
  let calls = 0;
  const script = scriptedModel({ steps }, new Map());
  const model: Model = {
    call(...args) {
      calls++;
      return script.call(...args);
    },
  };
  const services = { model, costs: new Costs() };
  const nextCall = () => ({ model: "claude-opus-5-5", system: [], tools: [{ name: "Read" }], maxTokens: 9 });
  const end = summariseProgress({ services, history, nextCall }, (summary) => told.push(summary), 10);
  onTestFinished(end);
  return { told, history, services, end, calls: () => calls };
}

const CALL = { type: "tool_use", id: "t1", name: "Read", input: {} } as const;

test("a subagent summarizes its progress whenever its conversation has continued, and the cost is counted", async () => {
  const { told, history, services, calls } = summarized([
    { text: "Reading the parser\nand more" },
    { text: "Fixing it" },
  ]);
  history.add("assistant", [CALL]);
  await expect.poll(() => told).toEqual(["Reading the parser"]);
  expect(services.costs.byModel["claude-opus-5-5"]?.outputTokens).toBeGreaterThan(0);
  // Nothing has happened since, so there is no summary.
  await delay(100);
  expect(calls()).toBe(1);
  history.add("user", [{ type: "tool_result", tool_use_id: "t1", content: "text" }]);
  await expect.poll(() => told).toEqual(["Reading the parser", "Fixing it"]);
  expect(JSON.stringify(history.messages)).not.toContain("right now");
});

test("a summary that fails is omitted, and the next one is sent", async () => {
  const { told, history, calls } = summarized([
    { type: "error", status: 500, error: { type: "api_error", message: "no" } },
    { text: "Going on" },
  ]);
  history.add("assistant", [CALL]);
  await expect.poll(calls).toBe(1);
  history.add("user", [{ type: "tool_result", tool_use_id: "t1", content: "text" }]);
  await expect.poll(() => told).toEqual(["Going on"]);
});

test("a subagent that has ended sends no more summaries", async () => {
  const { told, history, end, calls } = summarized([{ text: "late" }]);
  end();
  history.add("assistant", [CALL]);
  await delay(60);
  expect({ told, calls: calls() }).toEqual({ told: [], calls: 0 });
});
