import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { follow, startAgent, startProgram } from "../../agent-process.ts";
import { bash, newApi, playing, STUBBORN, UNASKED } from "../../model-source.ts";
import { expectNothingLeft, newPlace } from "../../place.ts";
import { is, prompt } from "../../wire.ts";
import { ends, inShort, inside, responds, rpc, run, startRpc, startScripted } from "./rpc.ts";

describe("a signal", { timeout: 30_000 }, () => {
  test.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)(
    "%s during a run ends it with its result, and the processes it started",
    async (signal, code) => {
      const agent = await startScripted(
        { steps: [{ content: [bash(STUBBORN)] }, { text: "Never said." }] },
        UNASKED,
      );
      agent.send(run(1, "Go"));
      await agent.place.file("running");
      agent.child.kill(signal);
      expect(await agent.ended()).toEqual({ code, signal: null });
      expect(inShort(agent.lines.at(-1) ?? {})).toBe("1 result cancelled");
      expect(agent.lines.filter(ends(1))).toHaveLength(1);
      await expectNothingLeft(agent.place);
    },
  );

  test("sent a second time does not wait for the result", async () => {
    const agent = await startScripted({ steps: [{ text: "Never said.", delayBefore: 60_000 }] });
    agent.send(run(1, "Go"));
    await agent.line(responds(1, "system"));
    agent.child.kill("SIGTERM");
    agent.child.kill("SIGTERM");
    expect(await agent.ended(4000)).toEqual({ code: 143, signal: null });
  });

  test("still ends the process at once for hosts of the official wire", async () => {
    const place = await newPlace();
    const steps = [{ text: "Never said.", delayBefore: 60_000 }];
    const agent = startAgent(place, { args: await playing(place, { steps }) });
    agent.send(prompt("Go"));
    await agent.line(is("system", "init"));
    agent.child.kill("SIGTERM");
    expect(await agent.ended()).toEqual({ code: 143, signal: null });
    expect(agent.lines.filter(is("result"))).toEqual([]);
  });
});

describe("a tool result without a call in the conversation", { timeout: 30_000 }, () => {
  test("is passed to the model as text: alone, with others, and in a resumed session", async () => {
    const api = await newApi({ steps: [], whenExhausted: { text: "Thanks." } });
    const place = await newPlace();
    const orphan = { type: "tool_result", tool_use_id: "call_123", content: "File contents here" };
    const nested = { ...orphan, content: [{ type: "text", text: "More of it" }] };
    const agent = startRpc(place, { env: api.env });
    agent.send(run(1, [orphan]));
    const { session_id, is_error } = inside(await agent.line(ends(1)));
    expect(is_error).toBe(false);
    agent.send(run(2, [{ type: "text", text: "And this" }, nested]));
    await agent.line(ends(2));
    agent.child.stdin.end();
    await agent.ended();
    const later = startRpc(place, { env: api.env, args: ["--resume", String(session_id)] });
    later.send(run(3, "Go on"));
    await later.line(ends(3));
    const asked = api.requests.map(({ body }) => JSON.stringify(body.messages));
    expect(asked[0]).toContain("File contents here");
    expect(asked[1]).toMatch(/And this.*More of it/);
    expect(asked[2]).toMatch(/File contents here.*And this.*More of it.*Go on/);
    expect(asked.join()).not.toContain('"tool_result"');
  });

  test("remains a result if the host has sent the call as well", async () => {
    const api = await newApi({ steps: [{ text: "Thanks." }] });
    const place = await newPlace();
    const agent = startAgent(place, { env: api.env });
    const call = { type: "tool_use", id: "call_1", name: "Read", input: { file_path: "/x" } };
    const answer = { type: "tool_result", tool_use_id: "call_1", content: "It is empty." };
    agent.send(
      { type: "assistant", message: { role: "assistant", content: [call] } },
      { type: "user", message: { role: "user", content: [answer] } },
    );
    await agent.line(is("result"));
    expect(JSON.stringify(api.requests[0]?.body.messages)).toContain('"tool_result"');
  });
});

describe("a program without a flag", { timeout: 30_000 }, () => {
  /** Starts it with only the address of its model. */
  async function start(...args: readonly string[]) {
    const place = await newPlace();
    const scripted = await playing(place, { steps: [{ text: "Hi." }] });
    return follow(startProgram(place, { args: [...scripted, ...args] }));
  }

  test.each<[string, readonly string[], string]>([
    ["a request", [], JSON.stringify(run(1, "Hello"))],
    ["a request after an empty line", [], `\n${JSON.stringify(run(1, "Hello"))}`],
    ["a batch", [], JSON.stringify([rpc(7, "status")])],
    ["a request, with a database", ["--db", "agent.db"], JSON.stringify(run(1, "Hello"))],
  ])("talks JSON-RPC to a host that starts with it: %s", async (_name, args, line) => {
    const agent = await start(...args);
    // In two pieces and without a newline, since a host waits for its answer.
    agent.child.stdin.write(line.slice(0, 10));
    agent.child.stdin.write(`${line.slice(10)}\n`);
    if (line.startsWith("[")) agent.send(run(1, "Hello"));
    expect(inside(await agent.line(ends(1)))).toMatchObject({ result: "Hi." });
    agent.child.stdin.end();
    expect(await agent.ended()).toEqual({ code: 0, signal: null });
  });

  test.each(["{ is how an object begins", '{"question":"what is this?"}', "[1, 2]", "plain words\nin lines"])(
    "treats other input as its prompt: %s",
    async (text) => {
      const agent = await start();
      agent.child.stdin.end(text);
      expect(await agent.ended()).toEqual({ code: 0, signal: null });
      expect(agent.garbage).toEqual(["Hi."]);
    },
  );
});

test("a batch is answered with one line", { timeout: 30_000 }, async () => {
  const agent = await startScripted({ steps: [{ text: "Hi." }] });
  const lines: string[] = [];
  agent.child.stdout.on("data", (text) => lines.push(String(text)));
  agent.child.stdin.write(
    `${JSON.stringify([rpc(1, "walk"), run(2, "Hello"), { jsonrpc: "2.0", method: "walk" }])}\n`,
  );
  await agent.line(responds(2, "assistant"));
  agent.child.stdin.end();
  await agent.ended();
  const last = JSON.parse(lines.join("").trimEnd().split("\n").at(-1) ?? "") as readonly JsonObject[];
  expect(last.map(inShort)).toEqual(["1 error -32601", "2 result success"]);
});
