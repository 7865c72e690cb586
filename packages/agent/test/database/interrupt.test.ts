import { describe, expect, test } from "vitest";
import { expectSoundHistory } from "../history-checks.ts";
import { bash, STUBBORN, UNASKED } from "../model-source.ts";
import { expectNothingLeft } from "../place.ts";
import { textOf } from "../wire.ts";
import {
  close,
  INTERRUPT,
  inShort,
  of,
  openScripted,
  openWithApi,
  results,
  said,
  user,
} from "./miriad-agent.ts";

const STALLED = { text: "Once upon a time", chunkSize: 4, stallAfterChunks: 2 };

describe("interrupt", { timeout: 30_000 }, () => {
  test("while idle is an error without a result, before the first message and after a turn", async () => {
    const agent = await openScripted({ steps: [{ text: "Hello." }] });
    agent.send(INTERRUPT);
    await agent.line(of("error"));
    agent.send(user("hello"));
    await results(agent, 1);
    agent.send(INTERRUPT);
    await agent.line(of("error"), 2);
    expect(said(agent)).toEqual(["error", "assistant", "success", "error"]);
    for (const line of agent.lines.filter(of("error")))
      expect(line).toEqual({ type: "system", subtype: "error", message: "No turn is currently running" });
    expect(await close(agent)).toBe(0);
  });

  test("that arrives before a message does not end its turn", async () => {
    const agent = await openScripted({ steps: [{ text: "Hello." }] });
    agent.send(INTERRUPT, user("hello"));
    expect(await results(agent, 1)).toMatchObject([{ subtype: "success", result: "Hello." }]);
    expect(said(agent).filter((word) => word === "interrupted")).toEqual([]);
    expect(await close(agent)).toBe(0);
  });

  test("during a tool is reported only once, ends the tool's processes, and the cancelled result comes last", async () => {
    const agent = await openScripted(
      { steps: [{ content: [bash(STUBBORN)], usage: { input_tokens: 7, output_tokens: 3 } }] },
      UNASKED,
    );
    agent.send(user("work", "s"));
    await agent.place.file("running");
    agent.send(INTERRUPT, INTERRUPT);
    const [result] = await results(agent, 1);
    expect(said(agent)).toEqual(["assistant", "interrupted", "tool_result", "cancelled"]);
    expect(agent.lines[2]).toMatchObject({ tool_result: { is_error: true } });
    expect(result).toMatchObject({ session_id: "s", usage: { input_tokens: 7, output_tokens: 3 } });
    agent.send(user("again", "s"));
    await results(agent, 2);
    expect(await close(agent)).toBe(0);
    await expectNothingLeft(agent.place);
  });

  test("during a model call ends the call", async () => {
    const { api, agent } = await openWithApi({ steps: [STALLED, { text: "Here I am." }] });
    agent.send(user("tell a story"));
    const call = await api.request(0);
    agent.send(INTERRUPT);
    await results(agent, 1);
    expect(await call.end).toBe("broken");
    expect(said(agent).filter((word) => word !== "assistant")).toEqual(["interrupted", "cancelled"]);
    agent.send(user("and now?"));
    expect(await results(agent, 2)).toMatchObject([{}, { subtype: "success", result: "Here I am." }]);
    const history = expectSoundHistory(api.requests[1]?.body.messages).map(textOf).join("\n");
    expect(history).toContain("tell a story");
    expect(await close(agent)).toBe(0);
  });

  test("keeps the queue: first the cancelled result, then one turn with all queued messages", async () => {
    const { api, agent } = await openWithApi(
      { steps: [{ content: [bash(STUBBORN)] }, { text: "Both." }] },
      UNASKED,
    );
    agent.send(user("work"));
    await agent.place.file("running");
    agent.send(user("second"), user("third"), INTERRUPT);
    expect(await results(agent, 2)).toMatchObject([
      { subtype: "cancelled" },
      { subtype: "success", result: "Both." },
    ]);
    expect(agent.lines.map(inShort)).toEqual([
      "assistant",
      "queued",
      "queued",
      "interrupted",
      "tool_result",
      "cancelled",
      "assistant",
      "success",
    ]);
    expect(textOf(expectSoundHistory(api.requests[1]?.body.messages).at(-1))).toContain("second\n\nthird");
    expect(await close(agent)).toBe(0);
  });
});
