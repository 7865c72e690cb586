import { describe, expect, test, vi } from "vitest";
import { collect, openBench } from "./bench.ts";
import { openLive } from "./live.ts";
import { ofType, resultOf } from "./messages.ts";
import { sdk } from "./official-sdk.ts";
import { say, use } from "./script.ts";

vi.setConfig({ testTimeout: 30_000 });

const WAIT = use("Bash", { command: "touch started; tail -f /dev/null", description: "Wait" });
const STALL = { text: "a long tale that never ends", stallAfterChunks: 1 };

// After every test of this folder, a check confirms that no process is left. These are the ways in which one could be.
describe("no process is left over when the host", () => {
  test("aborts during a reply", async () => {
    const bench = await openBench({ steps: [STALL] });
    const abortController = new AbortController();
    const query = bench.query("tell", { abortController });
    const talk = collect(query);
    await bench.api.request(0);
    abortController.abort();
    expect((await talk).error).toBeInstanceOf(sdk.AbortError);
  });

  test("aborts during a command", async () => {
    const bench = await openBench({ steps: [WAIT] });
    const abortController = new AbortController();
    const talk = collect(bench.query("wait", { abortController, allowedTools: ["Bash"] }));
    await bench.appears("started");
    abortController.abort();
    expect((await talk).error).toBeInstanceOf(sdk.AbortError);
  });

  test("closes the query during a command", async () => {
    const bench = await openBench({ steps: [WAIT] });
    const query = bench.query("wait", { allowedTools: ["Bash"] });
    const talk = collect(query);
    await bench.appears("started");
    query.close();
    expect(ofType(await talk, "result")).toEqual([]);
  });

  test("stops reading", async () => {
    const bench = await openBench({ steps: [say("hello")] });
    for await (const message of bench.query("hi")) if (message.type === "assistant") break;
  });

  test("closes before any request", async () => {
    const bench = await openBench({ steps: [] });
    const live = openLive(bench);
    await live.query.supportedCommands();
    expect(await live.end()).toMatchObject({ messages: [], error: undefined });
  });

  test("starts a process ahead of its prompt and discards it", async () => {
    const bench = await openBench({ steps: [say("warm")] });
    const options = { pathToClaudeCodeExecutable: bench.agent, cwd: bench.cwd, env: bench.env };
    const warm = await sdk.startup({ options });
    expect(resultOf(await collect(warm.query("hi")))).toMatchObject({ result: "warm" });
    (await sdk.startup({ options })).close();
  });

  test("leaves a command running in the background", async () => {
    const bench = await openBench({
      steps: [
        use("Bash", { command: "tail -f /dev/null", description: "Wait", run_in_background: true }),
        say("started"),
      ],
    });
    const live = openLive(bench, { allowedTools: ["Bash"] });
    live.send("start");
    expect(await live.until("result")).toMatchObject({ result: "started" });
    live.query.close();
  });
});

describe("the agent's stderr", () => {
  test("reaches the host's callback", async () => {
    const bench = await openBench({ steps: [say("ok")] });
    const heard: string[] = [];
    await bench.ask("hi", { stderr: (text) => heard.push(text), extraArgs: { "no-such-flag": null } });
    expect(heard.join("")).toContain("--no-such-flag");
  });

  test("is part of the error if the agent can't start", async () => {
    const bench = await openBench({ steps: [] });
    const talk = await bench.ask("hi", { extraArgs: { "permission-mode": "no-such-mode" } });
    expect(talk.messages).toEqual([]);
    expect(talk.error?.message).toMatch(/exited with code 1.*no-such-mode/s);
  });
});
