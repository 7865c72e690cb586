import { writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { expectSoundHistory } from "../history-checks.ts";
import { bash, UNASKED } from "../model-source.ts";
import { textOf } from "../wire.ts";
import { close, of, openScripted, openWithApi, results, said, user } from "./miriad-agent.ts";

describe("sessions of one database", { timeout: 60_000 }, () => {
  test("have separate histories; without an id, the session is named default", async () => {
    const { api, agent } = await openWithApi({ steps: [], whenExhausted: { text: "Yes." } });
    for (const [i, message] of [
      user("for a", "a"),
      user("for nobody"),
      user("a again", "a"),
      user("x", "default"),
    ].entries()) {
      agent.send(message);
      await results(agent, i + 1);
    }
    const heard = api.requests.map(({ body }) => expectSoundHistory(body.messages).map(textOf).join("|"));
    expect(heard).toEqual(["for a", "for nobody", "for a|Yes.|a again", "for nobody|Yes.|x"]);
    expect((await results(agent, 4)).map(({ session_id }) => session_id)).toEqual([
      "a",
      "default",
      "a",
      "default",
    ]);
    expect(await close(agent)).toBe(0);
  });

  test("run one turn at a time: a message for another session is queued", async () => {
    const agent = await openScripted(
      {
        steps: [
          { content: [bash("touch running; while [ ! -e go ]; do sleep 0.02; done")] },
          { text: "First." },
          { text: "Second." },
        ],
      },
      UNASKED,
    );
    agent.send(user("one", "a"));
    await agent.place.file("running");
    agent.send(user("two", "b"));
    expect(await agent.line(of("queued"))).toMatchObject({ session_id: "b", position: 1 });
    agent.send({ type: "control", action: "status" });
    expect(await agent.line(of("status"))).toMatchObject({
      running: true,
      session_id: "a",
      queued_messages: 1,
    });
    await writeFile(`${agent.place.cwd}/go`, "");
    expect(await results(agent, 2)).toMatchObject([
      { session_id: "a", result: "First." },
      { session_id: "b", result: "Second." },
    ]);
    expect(said(agent)).not.toContain("injected");
    expect(await close(agent)).toBe(0);
  });

  test("receive an interrupt only while they run", async () => {
    const agent = await openScripted(
      { steps: [{ content: [bash("touch running; sleep 100")] }, { text: "Second." }] },
      UNASKED,
    );
    agent.send(user("one", "a"));
    await agent.place.file("running");
    agent.send(user("two", "b"), { type: "control", action: "interrupt" });
    expect(await results(agent, 2)).toMatchObject([
      { session_id: "a", subtype: "cancelled" },
      { session_id: "b", subtype: "success" },
    ]);
    expect(await close(agent)).toBe(0);
  });

  test("can be closed and resumed, regardless of their number and names", async () => {
    const { api, agent } = await openWithApi({ steps: [], whenExhausted: { text: "Yes." } });
    const ids = [
      "../../etc/x",
      "a b",
      "ünï",
      "'; DROP TABLE lines;--",
      "\u0000",
      ...Array.from({ length: 12 }, (_, i) => `s${i}`),
    ];
    for (const id of ids) agent.send(user(`hello ${ids.indexOf(id)}.`, id));
    await results(agent, ids.length);
    agent.send(user("again", ids[0]));
    await results(agent, ids.length + 1);
    const last = expectSoundHistory(api.requests.at(-1)?.body.messages).map(textOf);
    expect(last).toEqual(["hello 0.", "Yes.", "again"]);
    expect(await close(agent)).toBe(0);
  });

  test("keep their names when they are cleared", async () => {
    const { api, agent } = await openWithApi({ steps: [], whenExhausted: { text: "Yes." } });
    agent.send(user("remember this", "a"));
    await results(agent, 1);
    agent.send(user("/clear", "a"));
    await results(agent, 2);
    agent.send(user("what was it?", "a"));
    expect((await results(agent, 3)).map(({ session_id }) => session_id)).toEqual(["a", "a", "a"]);
    expect(expectSoundHistory(api.requests.at(-1)?.body.messages).map(textOf)).toEqual(["what was it?"]);
    expect(await close(agent)).toBe(0);
  });
});
