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
  test("that is cancelled says why, and whether it may have been executed", () => {
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

  test("that is moved goes to the next process, and not before those that the running one keeps", () => {
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

  test("that joined a turn is answered with the one that the turn began with", () => {
    const prompts = given("a", "b");
    prompts.started("a");
    prompts.started("b");
    expect(changes(prompts.turnEnded(["a"]))).toEqual(["a COMPLETED", "b COMPLETED"]);
    expect(prompts.isEmpty).toBe(true);
  });

  test("that waits in the agent is not ended by a turn of the agent's own", () => {
    const prompts = given("a");
    prompts.takenIn("a");
    expect(changes(prompts.startedNext())).toEqual([]);
    expect(changes(prompts.turnEnded([]))).toEqual([]);
    expect(prompts.queueSize.prompts).toBe(1);
  });

  test("is answered in its order by an agent that tells nothing but results", () => {
    const prompts = given("a", "b");
    expect(changes(prompts.turnEnded([]))).toEqual(["a COMPLETED"]);
    expect(changes(prompts.turnEnded([]))).toEqual(["b COMPLETED"]);
  });

  test("that an earlier process had begun is cut off when the agent shows it without taking it in", () => {
    const prompts = given("a");
    expect(changes(prompts.shown("a"))).toEqual(["a CANCELLED"]);
  });

  test("that the agent has taken in continues when it is shown", () => {
    const prompts = given("a");
    prompts.takenIn("a");
    prompts.started("a");
    expect(changes(prompts.shown("a"))).toEqual([]);
  });

  test("that waited in a process that died waits again; what had begun does not begin again", () => {
    const prompts = given("a", "b");
    prompts.started("a");
    const news = prompts.processEnded();
    expect(changes(news)).toEqual(["a CANCELLED"]);
    expect(news.drafts[0]?.body.value).toMatchObject({ cutOff: true, reason: news.failure });
    expect(prompts.processEnded().failure).toBe("");
    expect(prompts.unsent.map(({ id }) => id)).toEqual(["b"]);
    expect(prompts.isUnsent).toBe(true);
  });

  test("that a process was given first ends with an interrupt that ends the process, where nothing had begun", () => {
    const prompts = given("a", "b");
    expect(changes(prompts.brokenOff())).toEqual(["a CANCELLED"]);
    prompts.started("b");
    expect(changes(prompts.brokenOff())).toEqual([]);
  });

  test("that was taken back from the agent still waits, though the agent says that it has dropped it", () => {
    const prompts = given("a", "b");
    prompts.started("a");
    expect(prompts.recalled()).toEqual(["b"]);
    expect(changes(prompts.ended("b", false))).toEqual([]);
    expect(prompts.unsent.map(({ id }) => id)).toEqual(["b"]);
  });

  test("that had begun before it could be taken back goes its way", () => {
    const prompts = given("a");
    prompts.recalled();
    expect(changes(prompts.started("a"))).toEqual(["a STARTED"]);
    expect(changes(prompts.turnEnded(["a"]))).toEqual(["a COMPLETED"]);
  });
});
