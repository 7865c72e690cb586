import { PromptState } from "@agentwire/api";
import { describe, expect, test } from "vitest";
import { type PromptNews, Prompts } from "../../src/session/prompts.ts";

const given = (...ids: string[]) => {
  const prompts = new Prompts(ids.map((id) => ({ id, bytes: id.length })));
  for (const id of ids) prompts.sent(id);
  return prompts;
};
const changes = ({ drafts }: PromptNews) =>
  drafts.map(({ body }) =>
    body.case === "promptChange" ? `${body.value.promptId} ${PromptState[body.value.state ?? 0]}` : "",
  );

const reasons = ({ drafts }: PromptNews) =>
  drafts.map(({ body }) => (body.case === "promptChange" ? body.value.reason : undefined));

describe("a prompt", () => {
  test("that is cancelled reports why, and whether it may have been executed", () => {
    const told = given("a");
    told.started("a");
    expect(reasons(told.processEnded())).toEqual([
      "the agent died while running this; it may have been partly executed",
    ]);
    const untold = given("a");
    untold.begun("a");
    expect(reasons(untold.processEnded())).toEqual([
      expect.stringContaining("partly executed, or not at all"),
    ]);
    expect(reasons(given("a").cancelled("a"))).toEqual(["it was withdrawn"]);
    expect(reasons(given("a").shown("a"))).toEqual([expect.stringContaining("an earlier process")]);
  });

  test("that is moved goes to the next process, after the ones the running process keeps", () => {
    const prompts = given("a", "b", "c");
    prompts.add({ id: "d", bytes: 1 });
    prompts.started("a");
    expect(prompts.recalled()).toEqual(["b", "c"]);
    for (const id of ["b", "c"]) prompts.returned(id);
    // The agent has kept one.
    prompts.sent("b");
    expect(changes(prompts.moved("b", 3, 9))).toEqual([]);
    expect(prompts.moved("d", 1, 9)).toEqual({
      drafts: [
        { body: { case: "promptChange", value: { promptId: "d", state: PromptState.QUEUED, position: 2 } } },
      ],
      writes: [{ type: "orderPrompts", ids: ["b", "d", "c"], seq: 9 }],
    });
    expect(prompts.moved("d", 9, 10).writes).toEqual([
      { type: "orderPrompts", ids: ["b", "c", "d"], seq: 10 },
    ]);
    expect(prompts.due).toEqual([]);
    prompts.processEnded();
    expect(prompts.due.map(({ id }) => id)).toEqual(["b", "c", "d"]);
  });

  test("that joined a turn is completed together with the one the turn began with", () => {
    const prompts = given("a", "b");
    prompts.started("a");
    prompts.started("b");
    expect(changes(prompts.turnEnded(["a"]))).toEqual(["a COMPLETED", "b COMPLETED"]);
    expect(prompts.isEmpty).toBe(true);
  });

  test("that waits in the agent is not completed by a turn the agent started by itself", () => {
    const prompts = given("a");
    prompts.takenIn("a");
    expect(changes(prompts.startedNext())).toEqual([]);
    expect(changes(prompts.turnEnded([]))).toEqual([]);
    expect(prompts.queueSize.prompts).toBe(1);
  });

  test("is completed in order if the agent reports nothing but results", () => {
    const prompts = given("a", "b");
    expect(changes(prompts.turnEnded([]))).toEqual(["a COMPLETED"]);
    expect(changes(prompts.turnEnded([]))).toEqual(["b COMPLETED"]);
  });

  test("that an earlier process had started is cut off when the agent shows it without taking it in", () => {
    const prompts = given("a");
    expect(changes(prompts.shown("a"))).toEqual(["a CANCELLED"]);
  });

  test("that the agent has taken in continues when it is shown", () => {
    const prompts = given("a");
    prompts.takenIn("a");
    prompts.started("a");
    expect(changes(prompts.shown("a"))).toEqual([]);
  });

  test("that waited in a process that died waits again; one that had started is not started again", () => {
    const prompts = given("a", "b");
    prompts.started("a");
    const news = prompts.processEnded();
    expect(changes(news)).toEqual(["a CANCELLED"]);
    expect(news.drafts[0]?.body.value).toMatchObject({ cutOff: true, reason: news.failure });
    expect(prompts.processEnded().failure).toBe("");
    expect(prompts.unsent.map(({ id }) => id)).toEqual(["b"]);
    expect(prompts.isUnsent).toBe(true);
  });

  test("that a process received first is cancelled by an interrupt that ends the process, if none had started", () => {
    const prompts = given("a", "b");
    expect(changes(prompts.brokenOff())).toEqual(["a CANCELLED"]);
    prompts.started("b");
    expect(changes(prompts.brokenOff())).toEqual([]);
  });

  test("that was recalled from the agent still waits, even if the agent reports that it dropped it", () => {
    const prompts = given("a", "b");
    prompts.started("a");
    expect(prompts.recalled()).toEqual(["b"]);
    expect(changes(prompts.ended("b", false))).toEqual([]);
    expect(prompts.unsent.map(({ id }) => id)).toEqual(["b"]);
  });

  test("that had started before it could be recalled runs normally", () => {
    const prompts = given("a");
    prompts.recalled();
    expect(changes(prompts.started("a"))).toEqual(["a STARTED"]);
    expect(changes(prompts.turnEnded(["a"]))).toEqual(["a COMPLETED"]);
  });
});
