import { readdirSync, readFileSync } from "node:fs";
import { EventSchema } from "@agentwire/api";
import { type AgentMessage, type JsonObject, readMessage } from "@agentwire/protocol";
import { agentMessages } from "@agentwire/protocol/messages";
import { fromBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { EventMapper } from "../../../src/session/events/mapper.ts";
import { Numbering } from "../../../src/session/numbering.ts";
import type { Draft } from "../../../src/store/draft.ts";
import { RawLines } from "../../../src/store/raw-lines.ts";

const RECORDINGS = new URL("../../../../../test/transcripts/claude-2.1.325/", import.meta.url);

/** A line as the daemon reads it. */
function read(line: JsonObject): readonly AgentMessage[] {
  const messages: AgentMessage[] = [];
  readMessage(agentMessages, line, {
    message: (message) => messages.push(message),
    repaired() {},
    malformed() {},
    reply() {},
  });
  return messages;
}

/** The messages of the official agent in a recording. */
function saidIn(file: string): readonly AgentMessage[] {
  const lines = readFileSync(new URL(file, RECORDINGS), "utf8").split("\n").filter(Boolean);
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ dir, raw }) => dir === "out" && !raw)
    .flatMap(({ line }) => read(line));
}

function draftsOf(messages: readonly AgentMessage[]): readonly Draft[] {
  const mapper = new EventMapper(() => 0);
  return messages.flatMap((message) => mapper.map(message, []));
}

const casesOf = (drafts: readonly Draft[]) => drafts.map(({ body }) => body.case);

describe.each(readdirSync(RECORDINGS).filter((file) => file.endsWith(".jsonl")))("%s", (file) => {
  test("becomes events that can be stored, with one turnComplete per result", () => {
    const messages = saidIn(file);
    const drafts = draftsOf(messages);
    const { events } = new Numbering("s", 0, new RawLines("s", async () => [])).number(drafts, 1);
    const stored = events.map(({ body }) => fromBinary(EventSchema, body));
    expect(stored.map(({ seq }) => Number(seq))).toEqual(stored.map((_, i) => i + 1));
    const results = messages.filter(({ type }) => type === "result");
    expect(stored.filter(({ body }) => body.case === "turnComplete").length).toBe(results.length);
  });
});

describe("an agent's message", () => {
  test("about a tool call becomes its start and its result", () => {
    const drafts = draftsOf(saidIn("bash-permission-allow.jsonl"));
    expect(casesOf(drafts)).toContain("toolCallStart");
    const result = drafts.find(({ body }) => body.case === "toolCallResult");
    expect(result?.body.value).toMatchObject({ isError: false });
  });

  test("with a tool call, and the one with its result, yield its duration", () => {
    let now = 0;
    const mapper = new EventMapper(() => now);
    const content = [{ type: "tool_use", id: "t1", name: "Bash", input: {} }];
    const say = (line: JsonObject) => read(line).flatMap((message) => mapper.map(message, []));
    say({ type: "assistant", message: { content }, parent_tool_use_id: null });
    now = 250;
    const [draft] = say({
      type: "user",
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "ok" }] },
    });
    expect(draft?.body).toMatchObject({ case: "toolCallResult", value: { text: "ok", durationMs: 250n } });
  });

  test("with a tool's output is replaced by the result, and a heartbeat becomes no event", () => {
    const progress = { type: "tool_progress", tool_use_id: "t1", tool_name: "Bash", elapsed_time_seconds: 1 };
    const drafts = draftsOf([
      ...read({ ...progress, output: "one\n" }),
      ...read({ ...progress, heartbeat: true }),
      ...read({ ...progress, output: "three\n", output_cut: true }),
      ...read({
        type: "user",
        message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "ok" }] },
      }),
    ]);
    expect(drafts.map(({ body }) => body)).toMatchObject([
      { case: "toolOutputDelta", value: { toolUseId: "t1", text: "one\n", cut: false } },
      { case: "toolOutputDelta", value: { toolUseId: "t1", text: "three\n", cut: true } },
      { case: "toolCallResult" },
    ]);
    const { writes } = new Numbering("s", 0, new RawLines("s", async () => [])).number(drafts, 0);
    expect(writes.at(-1)).toMatchObject({ type: "dropDeltas", from: 1, before: 3 });
  });

  test("of an unknown type is passed on unchanged", () => {
    const line = { type: "from_the_future", value: { deep: [1] } };
    const [draft] = draftsOf(read(line));
    expect(draft?.body).toEqual({
      case: "rawMessage",
      value: { type: "from_the_future", subtype: "", json: JSON.stringify(line) },
    });
  });
});

describe("numbering", () => {
  const delta = (key: string): Draft => ({ deltaOf: key, body: { case: "textDelta", value: { text: "x" } } });
  const finished = (key: string): Draft => ({ finishes: key, body: { case: "text", value: { text: "xx" } } });

  test("lets a finished block replace only its own deltas", () => {
    const numbering = new Numbering("s", 10, new RawLines("s", async () => []));
    const { events, writes } = numbering.number([delta("a"), delta("b"), delta("a"), finished("a")], 0);
    const last = fromBinary(EventSchema, events[3]?.body ?? new Uint8Array());
    expect(last).toMatchObject({ seq: 14n, supersedesFrom: 11n });
    expect(writes.at(-1)).toEqual({
      type: "dropDeltas",
      sessionId: "s",
      from: 11,
      before: 14,
      deltaOf: "a",
    });
    expect(
      fromBinary(EventSchema, numbering.number([finished("b")], 0).events[0]?.body ?? new Uint8Array()),
    ).toMatchObject({
      supersedesFrom: 12n,
    });
  });

  test("keeps the deltas of a reply that was cut off", () => {
    const numbering = new Numbering("s", 0, new RawLines("s", async () => []));
    numbering.number([delta("a"), { body: { case: "turnComplete", value: {} } }], 0);
    expect(numbering.number([finished("a")], 0).writes.length).toBe(1);
  });
});
