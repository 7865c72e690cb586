import { describe, expect, test } from "vitest";
import { newApi } from "../../model-source.ts";
import { newPlace } from "../../place.ts";
import { ends, inShort, inside, openRpc, openScripted, refuses, run } from "./rpc.ts";

const DB = ["--db", "agent.db"];

describe("the session_id of a run", { timeout: 30_000 }, () => {
  test("selects a conversation in the database, even after a restart", async () => {
    const api = await newApi({ steps: [], whenExhausted: { text: "Yes." } });
    const place = await newPlace();
    const agent = openRpc(place, { args: DB, env: api.env });
    for (const [id, session_id] of ["ada", "bob"].entries()) {
      agent.send(run(id, `I am ${session_id}`, { session_id }));
      expect(inside(await agent.line(ends(id)))).toMatchObject({ session_id });
    }
    agent.input.end();
    expect(await agent.ended()).toEqual({ code: 0, signal: null });

    const again = openRpc(place, { args: DB, env: api.env });
    again.send(run("x", "Who am I?", { session_id: "ada" }));
    await again.line(ends("x"));
    const seen = JSON.stringify(api.requests.at(-1)?.body.messages);
    expect(seen).toContain("I am ada");
    expect(seen).not.toContain("I am bob");
  });

  test("that is invalid fails the run, and the next one is served", async () => {
    const agent = await openScripted({ steps: [{ text: "Hi." }] }, DB);
    agent.send(run(1, "Hello", { session_id: "x".repeat(300) }));
    expect(inside(await agent.line(ends(1)))).toMatchObject({ is_error: true });
    expect(agent.lines.map(inShort)).toEqual(["1 system error", "1 result error_during_execution"]);
    agent.send(run(2, "Hello"));
    expect(inside(await agent.line(ends(2)))).toMatchObject({ result: "Hi.", session_id: "default" });
  });

  test("names the only conversation if there is no database, and other ids are rejected", async () => {
    const agent = await openScripted({ steps: [], whenExhausted: { text: "Hi." } });
    agent.send(run(1, "Hello", { session_id: "default" }));
    const { session_id } = inside(await agent.line(ends(1)));
    agent.send(run(2, "Hello", { session_id: "other" }));
    expect(await agent.line(refuses(2))).toMatchObject({ error: { code: -32602 } });
    for (const [id, name] of [
      [3, "default"],
      [4, session_id],
    ] as const) {
      agent.send(run(id, "Hello", { session_id: name }));
      expect(inside(await agent.line(ends(id)))).toMatchObject({ session_id });
    }
  });
});
