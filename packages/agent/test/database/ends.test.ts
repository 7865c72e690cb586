import { describe, expect, test } from "vitest";
import { bash, playing, STUBBORN, UNASKED } from "../model-source.ts";
import { expectNothingLeft, newPlace } from "../place.ts";
import { close, of, openWithApi, results, said, startMiriad, startScripted, user } from "./miriad-agent.ts";

describe("the end", { timeout: 30_000 }, () => {
  test("of stdin while a turn runs finishes the turn and the queue, and exits 0", async () => {
    const agent = await startScripted(
      { steps: [{ content: [bash("sleep 0.3; touch running")] }, { text: "One." }, { text: "Other." }] },
      UNASKED,
    );
    agent.send(user("first", "a"), user("second", "b"), user("third", "a"));
    expect(await close(agent)).toBe(0);
    expect(said(agent).filter((word) => word === "success")).toHaveLength(2);
    expect(said(agent).at(-1)).toBe("success");
    expect(agent.lines.filter(of("success")).map(({ session_id }) => session_id)).toEqual(["a", "b"]);
  });

  test("of stdin after a turn that failed exits 1", async () => {
    const error = { type: "billing_error", message: "no credit" };
    const { agent } = await openWithApi({ steps: [{ type: "error", status: 402, error }] });
    agent.send(user("hello"));
    expect(await close(agent)).toBe(1);
    expect(said(agent).at(-1)).toBe("error");
  });

  test("of stdin before any message exits 0 and prints nothing", async () => {
    const agent = await startScripted({ steps: [] });
    expect(await close(agent)).toBe(0);
    expect(agent.lines).toEqual([]);
  });

  test.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const)(
    "by %s cancels the turn, says one result, leaves the queue to the next process, and exits",
    async (signal, code) => {
      const script = { steps: [{ content: [bash(STUBBORN)] }] };
      const agent = await startScripted(script, UNASKED);
      agent.send(user("work"));
      await agent.place.file("running");
      agent.send(user("later"), user("elsewhere", "other"));
      await agent.line((line) => line.session_id === "other");
      agent.child.kill(signal);
      expect(await agent.ended()).toEqual({ code, signal: null });
      expect(said(agent)).toEqual(["assistant", "queued", "queued", "tool_result", "cancelled"]);
      await expectNothingLeft(agent.place);

      const next = startMiriad(agent.place, {
        args: await playing(agent.place, { steps: [{ text: "Later." }, { text: "Elsewhere." }] }),
      });
      expect(await results(next, 2)).toMatchObject([
        { result: "Later.", session_id: "default" },
        { result: "Elsewhere.", session_id: "other" },
      ]);
      expect(await close(next)).toBe(0);
    },
  );

  test("by a signal also works after stdin has ended", async () => {
    const agent = await startScripted({ steps: [{ content: [bash(STUBBORN)] }] }, UNASKED);
    agent.send(user("work"));
    await agent.place.file("running");
    agent.child.stdin.end();
    agent.child.kill("SIGTERM");
    expect(await agent.ended()).toEqual({ code: 143, signal: null });
    expect(said(agent).at(-1)).toBe("cancelled");
  });

  test("by a signal while idle prints nothing", async () => {
    const agent = await startScripted({ steps: [{ text: "Hello." }] });
    agent.send(user("hello"));
    await results(agent, 1);
    agent.child.kill("SIGTERM");
    expect(await agent.ended()).toEqual({ code: 143, signal: null });
    expect(said(agent)).toEqual(["assistant", "success"]);
  });

  test("caused by a host that disappears stops all work and leaves the queue to the next process", async () => {
    const agent = await startScripted({ steps: [{ content: [bash(STUBBORN)] }] }, UNASKED);
    agent.send(user("work"));
    await agent.place.file("running");
    agent.send(user("later"));
    await agent.line(of("queued"));
    agent.child.stdout.destroy();
    agent.child.stdin.end();
    // The next message has no recipient.
    agent.child.kill("SIGTERM");
    await agent.ended();
    await expectNothingLeft(agent.place);
    const next = startMiriad(agent.place, {
      args: await playing(agent.place, { steps: [{ text: "Later." }] }),
    });
    expect(await results(next, 1)).toMatchObject([{ result: "Later." }]);
    expect(await close(next)).toBe(0);
  });

  test("of a session that can't be opened is reported, and the program fails", async () => {
    const place = await newPlace();
    const agent = startMiriad(place, { args: ["--script", "no-such-script.json"] });
    agent.send(user("hello"));
    expect(await close(agent)).toBe(1);
    expect(agent.lines).toMatchObject([
      { subtype: "error", message: expect.stringContaining("no-such-script") },
    ]);
  });

  test.each(["--resume=x", "--continue"])(
    "comes at once with %s, which means nothing to a database",
    async (flag) => {
      const agent = startMiriad(await newPlace(), { args: [flag] });
      expect(await agent.ended()).toMatchObject({ code: 1 });
      expect(agent.complaints()).toContain("--session-id");
    },
  );
});
