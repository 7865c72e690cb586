import type { ScriptStep } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { ASKED, newApi } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { answer, asks, holds, is, isResult, prompt } from "../wire.ts";

const call = (name: string, input: JsonObject): ScriptStep => ({
  content: [{ type: "tool_use", name, input }],
});
const LEAVE = call("ExitPlanMode", { plan: "1. Do it" });

/** Runs a turn in which the host approves everything; returns the reported modes and the agent. */
async function planned(mode: string, steps: readonly ScriptStep[], agreed: JsonObject = {}) {
  const api = await newApi({ steps: [...steps, { text: "done" }] });
  const agent = openAgent(await newPlace(), { env: api.env, args: [...ASKED, "--permission-mode", mode] });
  agent.onLine = (line) => {
    if (asks("can_use_tool")(line)) agent.send(answer(line.request_id, { behavior: "allow", ...agreed }));
  };
  agent.send(prompt("go"));
  await agent.line(isResult);
  const modes = agent.lines.filter(is("system", "status")).map(({ permissionMode }) => permissionMode);
  return { modes, agent };
}

describe("leaving plan mode", { timeout: 30_000 }, () => {
  test("shows the plan to the host, and selects the default mode if the session started in plan mode", async () => {
    const { modes, agent } = await planned("plan", [LEAVE]);
    expect(modes).toEqual(["default"]);
    expect(agent.lines.find(asks("can_use_tool"))).toMatchObject({
      request: { input: { plan: "1. Do it" } },
    });
    expect(agent.lines.find(holds("tool_result"))).toMatchObject({ tool_use_result: { plan: "1. Do it" } });
  });

  test("restores the previous mode", async () => {
    const { modes } = await planned("acceptEdits", [call("EnterPlanMode", {}), LEAVE]);
    expect(modes).toEqual(["plan", "acceptEdits"]);
  });

  test("selects the mode that the host chooses in its answer", async () => {
    const update = { type: "setMode", mode: "acceptEdits", destination: "session" };
    const { modes } = await planned("plan", [LEAVE], { updatedPermissions: [update] });
    expect(modes).toEqual(["acceptEdits"]);
  });
});
