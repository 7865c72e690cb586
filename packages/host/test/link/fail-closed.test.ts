import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openLink } from "../../src/link/agent-link.ts";
import { freshFolder, linkTo, PROMPT, shellAgent } from "../programs/shell-agent.ts";

type Handler = NonNullable<NonNullable<Parameters<typeof openLink>[1]>["can_use_tool"]>;

/** What an agent is answered when it asks whether it may use a tool. */
async function answerOf(handler: Handler | undefined, answerMs = 10_000): Promise<unknown> {
  const record = join(freshFolder(), "transcript.jsonl");
  const options = { record, deadlines: { answerMs } };
  const link = linkTo("next; ask; next; result", options, handler ? { can_use_tool: handler } : {});
  link.send(PROMPT);
  await link.ended;
  const lines = readFileSync(record, "utf8").trim().split("\n");
  const sent = lines.map((line) => JSON.parse(line)).filter(({ dir }) => dir === "in");
  return sent[1].line.response;
}

const returning = (value: unknown): Handler => (() => value) as unknown as Handler;

const CASES: readonly (readonly [string, Handler | undefined, RegExp])[] = [
  ["no handler", undefined, /no handler/],
  ["a handler that returns nothing", returning(undefined), /not an object/],
  [
    "a handler that throws at once",
    () => {
      throw new Error("database is down");
    },
    /database is down/,
  ],
  [
    "a handler that rejects",
    async () => {
      throw new Error("database is down");
    },
    /database is down/,
  ],
  [
    "a handler that throws something other than an error",
    async () => {
      throw "no";
    },
    /no/,
  ],
  ["an invalid answer", returning({ behavior: "maybe" }), /neither allow nor deny/],
  ["true", returning(true), /not an object/],
  ["an allow with an invalid input", returning({ behavior: "allow", updatedInput: "rm" }), /updatedInput/],
];

describe("a permission question is denied, with the reason, by", { timeout: 30_000 }, () => {
  test.each(CASES)("%s", async (_name, handler, reason) => {
    expect(await answerOf(handler)).toMatchObject({
      subtype: "success",
      response: { behavior: "deny", message: expect.stringMatching(reason) },
    });
  });

  test("a handler that never answers, whose signal fires", async () => {
    let told = false;
    const answer = await answerOf(
      (_request, { signal }) =>
        new Promise(() => {
          signal.addEventListener("abort", () => {
            told = true;
          });
        }),
      200,
    );
    expect(answer).toMatchObject({
      response: { behavior: "deny", message: expect.stringMatching(/within 200 ms/) },
    });
    expect(told).toBe(true);
  });
});

test("an allow is passed on exactly as the handler wrote it", { timeout: 30_000 }, async () => {
  const allow = { behavior: "allow", updatedInput: { command: "ls" }, toolUseID: "t1" };
  expect(await answerOf(returning(allow))).toMatchObject({ subtype: "success", response: allow });
});

test("a failing hook is answered with an error, so that the agent applies the hook's onFailure", {
  timeout: 30_000,
}, async () => {
  const ask = `printf '{"type":"control_request","request_id":"h","request":{"subtype":"hook_callback","callback_id":"h0","input":{"hook_event_name":"Stop","session_id":"s","transcript_path":"","cwd":"/"}}}\\n'`;
  const link = openLink(
    shellAgent(`next; ${ask}; next; case $line in *'"subtype":"error"'*'out of order'*) result;; esac`),
    {
      hook_callback: () => {
        throw new Error("out of order");
      },
    },
  );
  link.send(PROMPT);
  expect(await link.messages.ready()).toBe(true);
  await link.close();
});
