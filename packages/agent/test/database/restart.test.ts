import { describe, expect, test } from "vitest";
import { expectSoundHistory } from "../history-checks.ts";
import { bash, newApi, STUBBORN, UNASKED } from "../model-source.ts";
import { blocksOf, textOf } from "../wire.ts";
import { close, of, results, said, startMiriad, startWithApi, user } from "./miriad-agent.ts";

describe("a process that was killed", { timeout: 30_000 }, () => {
  test("leaves a queue, which the next one answers at once, and calls without results, which then get them", async () => {
    const { agent } = await startWithApi({ steps: [{ content: [bash(STUBBORN)] }] }, UNASKED);
    agent.send(user("work", "s"));
    await agent.place.file("running");
    agent.send(user("second", "s"), user("third", "s"));
    await agent.line((line) => line.position === 2);
    agent.child.kill("SIGKILL");
    await agent.ended();

    const api = await newApi({ steps: [{ text: "Both." }] });
    const next = startMiriad(agent.place, { env: api.env });
    expect(await results(next, 1)).toMatchObject([{ subtype: "success", session_id: "s", result: "Both." }]);
    expect(said(next)).toEqual(["assistant", "success"]);
    const messages = expectSoundHistory(api.requests[0]?.body.messages);
    expect(textOf(messages[0])).toContain("work");
    expect(blocksOf(messages[2])).toMatchObject([
      { type: "tool_result", is_error: true },
      { type: "text", text: "second\n\nthird" },
    ]);
    expect(await close(next)).toBe(0);
  });

  test("does not cause second answers: messages leave the queue when they enter the conversation", async () => {
    const { api, agent } = await startWithApi({ steps: [{ text: "Never.", delayBefore: 100_000 }] });
    agent.send(user("only once"));
    await api.request(0);
    agent.child.kill("SIGKILL");
    await agent.ended();

    const other = await newApi({ steps: [{ text: "Hello." }] });
    const next = startMiriad(agent.place, { env: other.env });
    next.send(user("are you there?"));
    expect(await results(next, 1)).toMatchObject([{ result: "Hello." }]);
    const text = expectSoundHistory(other.requests[0]?.body.messages).map(textOf).join("\n");
    expect(text.split("only once")).toHaveLength(2);
    expect(await close(next)).toBe(0);
    expect(other.requests).toHaveLength(1);
  });

  test("leaves messages that are recognized by their uuid", async () => {
    const { api, agent } = await startWithApi({ steps: [{ text: "Once." }] });
    const message = { ...user("hello"), uuid: "b7a3f6c2-0000-4000-8000-000000000001" };
    agent.send(message);
    await results(agent, 1);
    agent.child.kill("SIGKILL");
    await agent.ended();
    const next = startMiriad(agent.place, { env: api.env });
    next.send(message, { type: "control", action: "status" });
    await next.line(of("status"));
    expect(await close(next)).toBe(0);
    expect(said(next)).toEqual(["status"]);
  });
});
