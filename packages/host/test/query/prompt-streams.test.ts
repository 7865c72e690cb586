import { expect, test, vi } from "vitest";
import type { SDKUserMessage } from "../../src/sdk/conversation-messages.ts";
import { queryAgent, readAll } from "../programs/agent-file.ts";

vi.setConfig({ testTimeout: 30_000 });

const PROMPT: SDKUserMessage = {
  type: "user",
  message: { role: "user", content: "go" },
  parent_tool_use_id: null,
};

/** Ends its one turn after the prompt, and exits when its input ends. */
const TURN = "next; answer; next; init; text; result; cat >/dev/null";
const TYPES = ["system", "assistant", "result"];

test("a second stream that throws rejects streamInput, and the session continues", async () => {
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  async function* prompts() {
    yield PROMPT;
    await finished;
  }
  const next = () => Promise.reject(new Error("broken off"));
  const talk = queryAgent(TURN, prompts());
  await expect(talk.streamInput({ [Symbol.asyncIterator]: () => ({ next }) })).rejects.toThrow("broken off");
  finish();
  expect(await readAll(talk)).toEqual({ types: TYPES, error: undefined });
});

test("the input also ends if the last stream throws", async () => {
  async function* broken(): AsyncGenerator<SDKUserMessage> {
    yield PROMPT;
    throw new Error("broken off");
  }
  const talk = queryAgent("next; answer; next; init; next; text; result; cat >/dev/null");
  await expect(talk.streamInput(broken())).rejects.toThrow("broken off");
  expect(await readAll(talk)).toEqual({ types: TYPES, error: undefined });
});

test("an empty stream during a running turn does not end its input", async () => {
  const asks = "next; answer; next; init; sleep 0.5; ask; next; text; result; cat >/dev/null";
  let asked = 0;
  const talk = queryAgent(asks, "go", {
    canUseTool: async (_name, input) => {
      asked++;
      return { behavior: "allow", updatedInput: input };
    },
  });
  await talk.next();
  async function* nothing(): AsyncGenerator<SDKUserMessage> {}
  void talk.streamInput(nothing());
  expect((await readAll(talk)).types).toEqual(["assistant", "result"]);
  expect(asked).toBe(1);
});

test.each(["text", null, 7])(
  "a stream that yields %j instead of a message is an error, and may clean up",
  async (value) => {
    let left = false;
    async function* prompts() {
      try {
        yield value as unknown as SDKUserMessage;
      } finally {
        left = true;
      }
    }
    const { error } = await readAll(queryAgent(TURN, prompts()));
    expect(error).toMatchObject({ code: "invalid_option" });
    expect(left).toBe(true);
  },
);

test("a stream whose next returns no promise is read like any other", async () => {
  const values = [PROMPT].values();
  const prompts = { [Symbol.asyncIterator]: () => ({ next: () => values.next() }) };
  const { types } = await readAll(queryAgent(TURN, prompts as unknown as AsyncIterable<SDKUserMessage>));
  expect(types).toEqual(TYPES);
});

test("return resolves with its argument", async () => {
  const talk = queryAgent(TURN);
  expect(await talk.return("enough" as never)).toEqual({ done: true, value: "enough" });
});
