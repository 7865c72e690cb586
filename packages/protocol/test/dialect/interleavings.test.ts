import fc from "fast-check";
import { expect, test } from "vitest";
import { DIALECTS, dart, jsonrpc } from "../../src/dialect/choose.ts";
import type { Dialect, Translation } from "../../src/dialect/dialect.ts";
import { isJsonObject, type JsonObject } from "../../src/json.ts";
import type { AgentMessage, HostMessage } from "../../src/message.ts";
import { hear, remembering } from "../contracts/hearing.ts";
import { init, prompt, reply, request, result, text } from "../contracts/official.ts";

const plain = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value));

/** A host and an agent that talk in a dialect, driven step by step. */
function talk(dialect: Dialect) {
  const host = dialect.forHost();
  const agent = dialect.forAgent();
  const heard: AgentMessage[] = [];
  const taken: HostMessage[] = [];
  const toHost = (line: JsonObject): void => {
    const { messages, replies } = hear(host, line);
    heard.push(...messages);
    for (const reply of replies) if (isJsonObject(reply)) toAgent(reply);
  };
  const toAgent = (line: JsonObject): void => {
    const { messages, replies } = hear(agent, line);
    taken.push(...messages);
    for (const answer of replies) if (isJsonObject(answer)) toHost(answer);
  };
  /** What an end writes for a message, and what it answers itself. */
  const said = <In, Out>(end: Translation<In, Out>, message: Out) => {
    const { heard: own, sink } = remembering<In>();
    const lines = end.encode(message, sink);
    return { own: own.messages, lines: [...own.replies, ...lines].map(plain) };
  };
  return {
    heard,
    /** The requests that the agent has not answered, oldest first. */
    owed: () => taken.flatMap((message) => (message.type === "control_request" ? [message] : [])),
    hostSays(message: HostMessage): void {
      const { own, lines } = said(host, message);
      heard.push(...own);
      for (const line of lines) toAgent(line);
    },
    agentSays(message: AgentMessage): void {
      const { own, lines } = said(agent, message);
      taken.push(...own);
      for (const line of lines) toHost(line);
    },
    answer(at: number, isError: boolean): void {
      const open = this.owed();
      const asked = open[at % open.length];
      if (!asked) return;
      taken.splice(taken.indexOf(asked), 1);
      const { request_id } = asked;
      this.agentSays({
        type: "control_response",
        response: isError
          ? { subtype: "error", request_id, error: "no" }
          : { subtype: "success", request_id, response: {} },
      });
    },
  };
}

type Step = readonly [
  "prompt" | "interrupt" | "status" | "other" | "answer" | "refuse" | "reply" | "init" | "result",
  number,
];

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.tuple(
    fc.constantFrom("prompt", "interrupt", "status", "other", "answer", "refuse", "reply", "init", "result"),
    fc.nat(5),
  ),
  { maxLength: 25 },
);

test.each(Object.values(DIALECTS))("$name answers every request, whatever happens in between", (dialect) => {
  fc.assert(
    fc.property(steps, (script) => {
      const wire = talk(dialect);
      const asked: string[] = [];
      const ask = (subtype: string) => {
        asked.push(`r${asked.length}`);
        wire.hostSays(request(`r${asked.length - 1}`, subtype) as HostMessage);
      };
      for (const [step, at] of script) {
        if (step === "prompt") wire.hostSays(prompt("hi"));
        else if (step === "interrupt") ask("interrupt");
        else if (step === "status") ask("session_status");
        else if (step === "other") ask("mcp_status");
        else if (step === "answer" || step === "refuse") wire.answer(at, step === "refuse");
        else if (step === "reply") wire.agentSays(reply(`m${at}`, text("hello")));
        else if (step === "init") wire.agentSays(init());
        else wire.agentSays(result());
      }
      while (wire.owed().length > 0) wire.answer(0, false);
      // Every turn ends, and so does whatever waits for its end.
      wire.agentSays(result());
      const answered = wire.heard.flatMap((message) =>
        message.type === "control_response" ? [message.response.request_id] : [],
      );
      expect(answered.toSorted()).toEqual(asked.toSorted());
    }),
    { numRuns: 2000 },
  );
});

test("a cancel that is answered after its run has ended does not cancel the next run", () => {
  const wire = talk(jsonrpc);
  wire.hostSays(prompt("one"));
  wire.hostSays(request("r0", "interrupt") as HostMessage);
  wire.agentSays(result());
  wire.hostSays(prompt("two"));
  wire.answer(0, false);
  wire.agentSays(result());
  expect(wire.heard).toMatchObject([
    { type: "result", subtype: "success" },
    { type: "control_response", response: { request_id: "r0" } },
    { type: "result", subtype: "success" },
  ]);
});

test("dart respells only the answer to initialize", () => {
  const commands = [{ name: "/odd", description: "", argumentHint: "" }];
  const wire = talk(dart);
  wire.hostSays(request("r0", "reload_plugins") as HostMessage);
  const response = { commands, agents: [], plugins: [], mcpServers: [], error_count: 0 };
  wire.agentSays({
    type: "control_response",
    response: { subtype: "success", request_id: "r0", response },
  });
  expect(wire.heard).toEqual([
    { type: "control_response", response: { subtype: "success", request_id: "r0", response } },
  ]);
});
