import { PromptState } from "@agentwire/api";
import { describe, expect, test } from "vitest";
import type { CallItem, Item } from "../../src/timeline/item.ts";
import { Timeline } from "../../src/timeline/timeline.ts";
import { asked, called, decided, delta, Events, prompted, result, said, turnOver } from "./events.ts";

const kinds = (items: readonly Item[]) => items.map(({ kind }) => kind);
const call = (item: Item | undefined) => item as CallItem;

describe("a reply", () => {
  test("grows delta by delta, and keeps its key when it is finished", () => {
    const [events, timeline] = [new Events(), new Timeline()];
    const [growing] = timeline.add([events.next(delta("m", 0, "Hel")), events.next(delta("m", 0, "lo"))]);
    expect(growing).toMatchObject({ kind: "said", text: "Hello", stage: "open" });
    const items = timeline.add([events.next(said("m", "Hello."), { from: 1 })]);
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ key: growing?.key, text: "Hello.", stage: "done" });
  });

  test("that is cut off keeps the text received so far", () => {
    const [events, timeline] = [new Events(), new Timeline()];
    const items = timeline.add([events.next(delta("m", 0, "Hel")), events.next(turnOver)]);
    expect(items[0]).toMatchObject({ text: "Hel", stage: "cut" });
  });

  test("of a subagent does not replace the deltas of another reply", () => {
    const [events, timeline] = [new Events(), new Timeline()];
    const items = timeline.add([
      events.next(called("task", "Task")),
      events.next(delta("main", 0, "I wait")),
      events.next(delta("sub", 0, "I w"), { parent: "task" }),
      events.next(said("sub", "I work"), { parent: "task", from: 3 }),
    ]);
    expect(items[1]).toMatchObject({ text: "I wait", stage: "open" });
    expect(call(items[0]).children).toMatchObject([{ text: "I work", stage: "done" }]);
  });
});

describe("a tool call", () => {
  test("contains its question, its decision and its result", () => {
    const [events, timeline] = [new Events(), new Timeline()];
    timeline.add([
      events.next({ case: "toolInputDelta", value: { messageId: "m", index: 0, partialJson: "{" } }),
      events.next(called("t"), { from: 1 }),
    ]);
    timeline.add([events.next(asked("q", "t"))]);
    const items = timeline.add([events.next(decided("q", "ann")), events.next(result("t"))]);
    expect(kinds(items)).toEqual(["call"]);
    expect(items[0]).toMatchObject({
      name: "Bash",
      result: { text: "ok" },
      question: { question: { id: "q" }, settled: { decidedBy: "ann" } },
    });
  });

  test("shows the last part of its output until it has its result", () => {
    const [events, timeline] = [new Events(), new Timeline()];
    const printed = (text: string, cut = false) =>
      events.next({ case: "toolOutputDelta", value: { toolUseId: "t", text, cut } });
    const items = timeline.add([events.next(called("t")), printed("one\n"), printed("two\n")]);
    expect(call(items[0]).output).toBe("one\ntwo\n");
    expect(call(timeline.add([printed("three", true)])[0]).output).toBe("three");
    expect(call(timeline.add([printed("x".repeat(100_000))])[0]).output).toBe("x".repeat(8000));
    expect(call(timeline.add([events.next(result("t"))])[0])).toMatchObject({
      output: "",
      result: { text: "ok" },
    });
  });

  test("absorbs a question that arrived before it", () => {
    const [events, timeline] = [new Events(), new Timeline()];
    expect(kinds(timeline.add([events.next(asked("q", "t"))]))).toEqual(["question"]);
    const items = timeline.add([events.next(called("t")), events.next(decided("q", "ann"))]);
    expect(items).toMatchObject([{ kind: "call", question: { settled: { decidedBy: "ann" } } }]);
  });

  test("that started before the loaded events still shows its result", () => {
    const [events, timeline] = [new Events(), new Timeline()];
    const items = timeline.add([
      events.next(result("gone")),
      events.next(said("m", "x"), { parent: "older" }),
    ]);
    expect(items).toMatchObject([
      { kind: "call", name: "", result: { text: "ok" } },
      { kind: "call", name: "", children: [{ kind: "said", text: "x" }] },
    ]);
  });

  test("without a result is abandoned when the turn ends", () => {
    const [events, timeline] = [new Events(), new Timeline()];
    const items = timeline.add([events.next(called("t")), events.next(turnOver)]);
    expect(items[0]).toMatchObject({ isAbandoned: true });
  });

  test("is nested in its parent calls at any depth", () => {
    const [events, timeline] = [new Events(), new Timeline()];
    timeline.add([
      events.next(called("a", "Task")),
      events.next(called("b", "Task"), { parent: "a" }),
      events.next(called("c"), { parent: "b" }),
    ]);
    const items = timeline.add([events.next(result("c", "deep"), { parent: "b" })]);
    const inner = call(call(items[0]).children[0]).children[0];
    expect(call(inner).result?.text).toBe("deep");
  });
});

test("a prompt shows its state", () => {
  const [events, timeline] = [new Events(), new Timeline()];
  const change = (state: PromptState) =>
    events.next({ case: "promptChange", value: { promptId: "p", state } });
  expect(timeline.add([events.next(prompted("p"))])[0]).toMatchObject({ state: PromptState.QUEUED });
  expect(timeline.add([change(PromptState.CANCELLED)])[0]).toMatchObject({ state: PromptState.CANCELLED });
});

test("unchanged items stay the same objects, so that they are not rendered again", () => {
  const [events, timeline] = [new Events(), new Timeline()];
  const before = timeline.add([events.next(called("t")), events.next(delta("m", 0, "a"))]);
  const after = timeline.add([events.next(delta("m", 0, "b"))]);
  expect(after).not.toBe(before);
  expect(after[0]).toBe(before[0]);
  expect(before[1]).toMatchObject({ text: "a" });
  expect(after[1]).toMatchObject({ text: "ab" });
});

test("a retry of the agent says why", () => {
  const [events, timeline] = [new Events(), new Timeline()];
  const retry = (attempt: number, status: number | null, error: string) => {
    const json = { attempt, max_retries: 10, retry_delay_ms: 1200, error_status: status, error };
    const value = { type: "system", subtype: "api_retry", json: JSON.stringify(json) };
    return events.next({ case: "rawMessage", value });
  };
  const items = timeline.add([retry(1, 401, "authentication_failed"), retry(2, null, "unknown")]);
  expect(items).toMatchObject([
    {
      kind: "notice",
      tone: "warning",
      text: "The model rejected the API key or login (status 401). Trying again in 2 s (1 of 10).",
    },
    { kind: "notice", text: "The model did not answer (no connection). Trying again in 2 s (2 of 10)." },
  ]);
});
