import fc from "fast-check";
import { expect, test } from "vitest";
import { createRequestWriter, toRequest } from "../../src/model/anthropic-request.ts";
import type { ModelCall, ModelMessage } from "../../src/model/model.ts";

const CALL: Omit<ModelCall, "messages"> = {
  model: "m",
  system: ["s"],
  tools: [{ name: "A" }],
  maxTokens: 10,
};

const message: fc.Arbitrary<ModelMessage> = fc.record({
  role: fc.constantFrom("user", "assistant"),
  content: fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.array(fc.record({ type: fc.constant("text" as const), text: fc.string() }), { maxLength: 3 }),
  ),
});

/** What happens to a conversation between two calls: it grows, its last messages change, or another conversation replaces it. */
const change = fc.record({ keep: fc.nat({ max: 20 }), add: fc.array(message, { maxLength: 4 }) });

test("a request does not depend on what was written before it", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
      const write = createRequestWriter();
      let messages: readonly ModelMessage[] = [];
      for (const { keep, add } of changes) {
        messages = [...messages.slice(0, keep), ...add];
        const call = { ...CALL, messages };
        expect(JSON.parse(write(call).toString())).toEqual(JSON.parse(JSON.stringify(toRequest(call))));
      }
    }),
  );
});

test("the common start with the last request is not serialized again", () => {
  let spelled = 0;
  const counted = (role: ModelMessage["role"]): ModelMessage => ({
    role,
    get content() {
      spelled++;
      return "text";
    },
  });
  const write = createRequestWriter();
  const messages = Array.from({ length: 100 }, (_, i) => counted(i % 2 === 0 ? "user" : "assistant"));
  write({ ...CALL, messages });
  spelled = 0;
  write({ ...CALL, messages: [...messages, counted("user")] });
  expect(spelled).toBeLessThan(10);
});
