import { PromptState, QuestionSchema, SessionSchema, SessionStatus } from "@agentwire/api";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import {
  type Facts,
  newFacts,
  withEarlier,
  withEvent,
  withOpenQuestions,
  withoutQuestion,
  withQueue,
} from "../../src/facts/facts.ts";
import { asked, type Body, decided, Events, prompted } from "../timeline/events.ts";

const facts = newFacts(create(SessionSchema, { id: "s", status: SessionStatus.IDLE }));

test("a prompt is queued until its turn starts", () => {
  const events = new Events();
  const change = (promptId: string, state: PromptState) =>
    events.next({ case: "promptChange", value: { promptId, state } });
  const waiting = [events.next(prompted("a")), events.next(prompted("b"))].reduce(withEvent, facts);
  expect(waiting.queue.map(({ id }) => id)).toEqual(["a", "b"]);
  const move = { promptId: "b", state: PromptState.QUEUED, position: 1 };
  const moved = withEvent(waiting, events.next({ case: "promptChange", value: move }));
  expect(moved.queue.map(({ id }) => id)).toEqual(["b", "a"]);
  const begun = [change("a", PromptState.STARTED), change("b", PromptState.CANCELLED)].reduce(
    withEvent,
    waiting,
  );
  expect(begun.queue).toEqual([]);
});

test("a question is listed once, with who settled it, until it is dismissed", () => {
  const events = new Events();
  const open = withEvent(facts, events.next(asked("q", "t")));
  const listed = withOpenQuestions(open, [
    create(QuestionSchema, { id: "q" }),
    create(QuestionSchema, { id: "r" }),
  ]);
  expect(listed.questions.map(({ question }) => question.id)).toEqual(["q", "r"]);
  const over = withEvent(listed, events.next(decided("q", "ann")));
  expect(over.questions[0]?.settled?.decidedBy).toBe("ann");
  expect(withoutQuestion(over, "q").questions).toHaveLength(1);
});

test("a question waits until its latest deadline", () => {
  const events = new Events();
  const expiresAt = { seconds: 7n, nanos: 0 };
  const later = events.next(asked("q", "t"));
  const moved = events.next({ case: "questionDeadline", value: { questionId: "q", expiresAt } });
  expect([later, moved].reduce(withEvent, facts).questions[0]?.question.expiresAt?.seconds).toBe(7n);
});

test("prompts that the daemon reports as queued are added once, even if they are older than the loaded events", () => {
  const events = new Events();
  const old = { id: "old", text: "an old one" };
  const loaded = withEvent(facts, events.next(prompted("begun")));
  const waiting = withQueue(loaded, [old, { id: "late", text: "tell" }]);
  expect(waiting.queue.map(({ id }) => id)).toEqual(["old", "late", "begun"]);
  const after = withEvent(waiting, events.next(prompted("late")));
  expect(after.queue.filter(({ id }) => id === "late")).toHaveLength(1);
});

test("a to-do list from before the loaded events is used unless there is a newer one", () => {
  const list = (content: string): Body => ({ case: "todoList", value: { items: [{ content }] } });
  const events = new Events();
  const [first, second, third] = [list("first"), list("second"), list("third")].map((body) =>
    events.next(body),
  );
  if (!first || !second || !third) throw new Error("three events");
  const contentOf = ({ todos }: Facts) => todos?.map(({ content }) => content);
  expect(contentOf(withEarlier(facts, [first, second]))).toEqual(["second"]);
  expect(contentOf(withEarlier(withEvent(facts, third), [first, second]))).toEqual(["third"]);
});

test("an event that is already included changes nothing", () => {
  const events = new Events();
  const event = events.next(prompted("a"));
  const once = withEvent(facts, event);
  expect(withEvent(once, event)).toBe(once);
});
