import { expect, test } from "vitest";
import { linkTo, PROMPT, timed } from "../programs/shell-agent.ts";

const fails = () => {
  throw new Error("a bug in the caller");
};

test.each([
  ["take", { take: fails }, "init"],
  ["onMessage", { onMessage: fails }, "init"],
  ["onMalformed", { onMalformed: fails }, "echo 'no message'"],
])(
  "an %s that throws ends the link at once, with the thrown error",
  { timeout: 30_000 },
  async (_, options, line) => {
    const link = linkTo(`next; ${line}; text; sleep 60`, options);
    link.send(PROMPT);
    const { value, ms } = await timed(() => link.ended);
    expect(value.error).toMatchObject({
      code: "callback_failed",
      pid: link.pid,
      cause: new Error("a bug in the caller"),
    });
    expect(ms).toBeLessThan(4000);
  },
);
