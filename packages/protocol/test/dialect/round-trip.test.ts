import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { times } from "../../../../test/times.ts";
import { dart, jsonrpc, miriad } from "../../src/dialect/choose.ts";
import { claude } from "../../src/dialect/claude.ts";
import { claudeV1 } from "../../src/dialect/claude-v1.ts";
import type { Dialect } from "../../src/dialect/dialect.ts";
import type { JsonObject } from "../../src/json.ts";
import type { AgentMessage, HostMessage } from "../../src/message.ts";
import { differences } from "../contracts/differences.ts";
import { hear, written } from "../contracts/hearing.ts";
import { init } from "../contracts/official.ts";
import {
  dartAgentLines,
  dartAnswers,
  miriadHostLines,
  miriadTurns,
  officialAgentLines,
  officialHostLines,
  oldAgentLines,
} from "./lines.ts";

/** Tests a property with a suitable number of lines. */
function always<T>(arbitrary: fc.Arbitrary<T>, check: (value: T) => void): void {
  fc.assert(
    fc.property(arbitrary, (value) => {
      check(value);
    }),
    { numRuns: times(1000, 3000) },
  );
}

const anyOf = (lines: Readonly<Record<string, fc.Arbitrary<JsonObject>>>) =>
  fc.oneof(...Object.values(lines));

/** One wire in a dialect, with both its ends. */
function wire(dialect: Dialect) {
  const host = dialect.forHost();
  const agent = dialect.forAgent();
  return {
    host,
    agent,
    /** An agent's line after the host has read it and an agent has sent the same again. */
    agentLinesAgain: (lines: readonly JsonObject[]) =>
      lines.flatMap((line) =>
        hear(host, line).messages.flatMap((message) => written(agent, message as AgentMessage)),
      ),
    hostLinesAgain: (lines: readonly JsonObject[]) =>
      lines.flatMap((line) =>
        hear(agent, line).messages.flatMap((message) => written(host, message as HostMessage)),
      ),
    /** What a host reads from what an agent sends. */
    toHost: (message: AgentMessage) => written(agent, message).flatMap((line) => hear(host, line).messages),
    toAgent: (message: HostMessage) => written(host, message).flatMap((line) => hear(agent, line).messages),
  };
}

const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
const gains = (path: string) => path.startsWith("+");
const losses = (before: unknown, after: unknown) =>
  differences(plain(before), plain(after)).filter((path) => !gains(path));

/** Canonical messages are the lines of the current wire. */
const asMessage = <M>(line: JsonObject) => line as unknown as M;

describe("claude", () => {
  test("an agent's lines are unchanged after a round trip", () => {
    always(anyOf(officialAgentLines), (line) => expect(wire(claude).agentLinesAgain([line])).toEqual([line]));
  });

  test("a host's lines are unchanged after a round trip", () => {
    always(anyOf(officialHostLines), (line) => expect(wire(claude).hostLinesAgain([line])).toEqual([line]));
  });
});

describe("claude-v1", () => {
  test("an agent's lines lose nothing in a round trip", () => {
    always(anyOf(oldAgentLines), (line) =>
      expect(losses([line], wire(claudeV1).agentLinesAgain([line]))).toEqual([]),
    );
  });

  test("a host's lines are unchanged after a round trip", () => {
    always(anyOf(officialHostLines), (line) => expect(wire(claudeV1).hostLinesAgain([line])).toEqual([line]));
  });

  test("an agent's messages arrive as they were sent", () => {
    always(anyOf(officialAgentLines), (line) =>
      expect(plain(wire(claudeV1).toHost(asMessage(line)))).toEqual([line]),
    );
  });
});

describe("miriad", () => {
  test("a turn's lines lose nothing in a round trip", () => {
    always(miriadTurns, (lines) => expect(losses(lines, wire(miriad).agentLinesAgain(lines))).toEqual([]));
  });

  test("a host's lines lose nothing in a round trip", () => {
    always(anyOf(miriadHostLines), (line) =>
      expect(losses([line], wire(miriad).hostLinesAgain([line]))).toEqual([]),
    );
  });

  test("a host's messages arrive as they were sent", () => {
    const { success, failure, request, keepAlive } = officialHostLines;
    const known = { success, failure, request, keepAlive, prompt: miriadHostLines.prompt };
    always(anyOf(known), (line) => expect(losses([line], wire(miriad).toAgent(asMessage(line)))).toEqual([]));
  });

  test("a reply's content, model and ids arrive as they were sent", () => {
    always(fc.tuple(officialAgentLines.assistant, officialAgentLines.success), ([reply, result]) => {
      const both = wire(miriad);
      const [heard] = [...both.toHost(asMessage(reply)), ...both.toHost(asMessage(result))];
      const { message, uuid, session_id, parent_tool_use_id } = reply;
      const { role, content, model } = message as JsonObject;
      const said = { message: { role, content, model }, uuid, session_id, parent_tool_use_id };
      expect(losses(said, heard)).toEqual([]);
    });
  });
});

describe("jsonrpc", () => {
  const running = (prompt: JsonObject) => {
    const both = wire(jsonrpc);
    both.toAgent(asMessage(prompt));
    return both;
  };
  const runs = fc.tuple(officialHostLines.prompt, anyOf(officialAgentLines));

  test("an agent's messages arrive as they were sent, inside and outside a run", () => {
    always(runs, ([prompt, line]) => {
      expect(plain(running(prompt).toHost(asMessage(line)))).toEqual([line]);
      expect(plain(wire(jsonrpc).toHost(asMessage(line)))).toEqual([line]);
    });
  });

  test("an agent's lines are unchanged after a round trip, inside and outside a run", () => {
    always(runs, ([prompt, message]) => {
      const response = { jsonrpc: "2.0", id: 1, result: message };
      expect(running(prompt).agentLinesAgain([response])).toEqual([response]);
      const notification = { jsonrpc: "2.0", method: "message", params: message };
      expect(wire(jsonrpc).agentLinesAgain([notification])).toEqual([notification]);
    });
  });

  test("a host's run, status and cancel are unchanged after a round trip", () => {
    const params = officialHostLines.prompt.map(({ message, session_id }) => ({
      prompt: (message as JsonObject).content,
      ...(session_id !== undefined && { session_id }),
    }));
    const methods = fc.array(fc.constantFrom("status", "cancel"), { maxLength: 4 });
    always(fc.tuple(params, methods), ([run, asked]) => {
      const requests = [{ method: "run", params: run }, ...asked.map((method) => ({ method }))];
      const lines = requests.map((request, at) => ({ jsonrpc: "2.0", id: at + 1, ...request }));
      expect(wire(jsonrpc).hostLinesAgain(lines)).toEqual(lines);
    });
  });

  test("a host's other messages arrive as they were sent", () => {
    // A prompt is a run, and a line of an unknown type is no request.
    const { prompt: _, unknown: _unknown, ...others } = officialHostLines;
    always(anyOf(others), (line) => expect(plain(wire(jsonrpc).toAgent(asMessage(line)))).toEqual([line]));
  });
});

describe("dart", () => {
  test("an agent's lines lose nothing in a round trip", () => {
    always(anyOf(dartAgentLines), (line) =>
      expect(losses([line], wire(dart).agentLinesAgain([line]))).toEqual([]),
    );
  });

  test("a host's prompts are unchanged after a round trip: the first creates, the others send", () => {
    always(fc.array(officialHostLines.prompt, { minLength: 1, maxLength: 3 }), (prompts) => {
      const lines = prompts.map((prompt, at) => ({
        ...prompt,
        type: at === 0 ? "session.create" : "session.send",
      }));
      const both = wire(dart);
      // Its session has been described, so the agent's end asks for nothing.
      both.toHost(init());
      expect(both.hostLinesAgain(lines)).toEqual(lines);
    });
  });

  test("a host's answers are unchanged after a round trip", () => {
    always(fc.tuple(officialAgentLines.request, dartAnswers), ([request, answer]) => {
      const both = wire(dart);
      both.toHost(asMessage({ ...request, request_id: "asked" }));
      expect(both.hostLinesAgain([answer])).toEqual([answer]);
    });
  });

  test("an agent's messages lose only what the Dart dialect can't express", () => {
    always(anyOf(officialAgentLines), (line) => {
      const [heard] = wire(dart).toHost(asMessage(line));
      expect(losses(line.type === "assistant" ? dartReply(line) : line, heard)).toEqual([]);
    });
  });
});

function dartReply({ message, ...rest }: JsonObject): JsonObject {
  const { role, content, model, usage } = message as JsonObject;
  return { ...rest, message: { role, content, model, usage } };
}
