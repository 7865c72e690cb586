import { describe, expect, test } from "vitest";
import { bash, newApi, STUBBORN, UNASKED } from "../../model-source.ts";
import { expectNothingLeft, newPlace } from "../../place.ts";
import { ends, inShort, inside, openRpc, openScripted, refuses, responds, rpc, run } from "./rpc.ts";

const STALLED = { text: "Once upon a time", chunkSize: 4, stallAfterChunks: 2 };

describe("cancel", { timeout: 30_000 }, () => {
  test("ends the run with a cancelled result, then answers with the status, and ends the tool", async () => {
    const agent = await openScripted({ steps: [{ content: [bash(STUBBORN)] }, { text: "Next." }] }, UNASKED);
    agent.send(run(7, "work"));
    await agent.place.file("running");
    agent.send(rpc(8, "cancel"));
    const status = await agent.line(responds(8));
    expect(status).toEqual({
      jsonrpc: "2.0",
      id: 8,
      result: { type: "system", subtype: "status", running: false, session_id: expect.any(String) },
    });
    const shorts = agent.lines.map(inShort);
    expect(shorts.slice(-2)).toEqual(["7 result cancelled", "8 system status"]);
    expect(shorts.filter((short) => short.startsWith("7 result"))).toHaveLength(1);
    // The call that was cut off has its result, too.
    expect(shorts.at(-3)).toBe("7 user");

    agent.send(run(9, "again"));
    expect(inside(await agent.line(ends(9)))).toMatchObject({ subtype: "success", result: "Next." });
    const after = agent.lines.slice(shorts.length);
    expect(after.every((line) => line.id === 9)).toBe(true);
    agent.input.end();
    expect(await agent.ended()).toEqual({ code: 0, signal: null });
    await expectNothingLeft(agent.place);
  });

  test("during a model call leaves a valid conversation for the next run", async () => {
    const api = await newApi({ steps: [STALLED, { text: "Here I am." }] });
    const agent = openRpc(await newPlace(), { env: api.env });
    agent.send(run(1, "tell a story"));
    const call = await api.request(0);
    agent.send(rpc(2, "cancel"));
    await agent.line(responds(2));
    await call.end;
    agent.send(run(3, "and now?"));
    expect(inside(await agent.line(ends(3)))).toMatchObject({ is_error: false, result: "Here I am." });
    const messages = api.requests[1]?.body.messages;
    expect(JSON.stringify(messages)).toContain("tell a story");
    expect(JSON.stringify(messages)).toContain("and now?");
  });

  test("in the same chunk as the run cancels that run", async () => {
    const agent = await openScripted({ steps: [{ text: "Next." }] });
    agent.send(run(1, "work"), rpc(2, "cancel"), run(3, "too early"));
    await agent.line(responds(2));
    expect(agent.lines.map(inShort)).toEqual(
      expect.arrayContaining(["3 error -32001", "1 result cancelled", "2 system status"]),
    );
    expect(agent.lines.map(inShort).slice(-2)).toEqual(["1 result cancelled", "2 system status"]);
    agent.send(run(4, "again"));
    expect(inside(await agent.line(ends(4)))).toMatchObject({ is_error: false });
  });

  test("sent twice is answered twice, and the run has one result", async () => {
    const agent = await openScripted({ steps: [STALLED] });
    agent.send(run(1, "work"));
    await agent.line(responds(1, "system"));
    agent.send(rpc(2, "cancel"), rpc(3, "cancel"));
    await agent.line(responds(3));
    expect(agent.lines.map(inShort).slice(-3)).toEqual([
      "1 result cancelled",
      "2 system status",
      "3 system status",
    ]);
  });

  test.each([
    ["before any run", []],
    ["after a run", [run(1, "Hello")]],
  ])("%s is refused because nothing is running", async (_, first) => {
    const agent = await openScripted({ steps: [{ text: "Hi." }] });
    agent.send(...first);
    if (first.length > 0) await agent.line(ends(1));
    agent.send(rpc(2, "cancel"));
    expect(await agent.line(refuses(2))).toMatchObject({ error: { code: -32002 } });
  });
});

describe("status", () => {
  test("reports whether a run is active, and which", async () => {
    const agent = await openScripted({ steps: [STALLED] });
    agent.send(rpc("s1", "status"));
    expect(inside(await agent.line(responds("s1")))).toEqual({
      type: "system",
      subtype: "status",
      running: false,
      session_id: expect.any(String),
    });
    agent.send(run(1, "work"), rpc("s2", "status"));
    expect(inside(await agent.line(responds("s2")))).toMatchObject({ running: true, request_id: 1 });
    agent.send(rpc(2, "cancel"), rpc("s3", "status"));
    await agent.line(responds(2));
    agent.send(rpc("s4", "status"));
    expect(inside(await agent.line(responds("s4")))).toMatchObject({ running: false });
    expect(agent.lines.filter(responds("s3"))).toHaveLength(1);
  });
});
