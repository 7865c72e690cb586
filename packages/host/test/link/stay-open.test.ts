import type { Version } from "@agentwire/protocol/compatibility";
import { describe, expect, test } from "vitest";
import { linkTo, PROMPT, timed, typesOf } from "../programs/shell-agent.ts";

/** Prints `result` only if another line comes before the end of input. */
const STILL_OPEN = "next && result || exit 9";

describe("input stays open", { timeout: 30_000 }, () => {
  test("until the turn is over, and is then ended", async () => {
    const link = linkTo("next; init; sleep 0.2; text; result; next && exit 9; exit 0");
    link.send(PROMPT);
    const drained = link.drain();
    expect(await typesOf(link)).toEqual(["system", "assistant", "result"]);
    expect(await drained).toMatchObject({ exitCode: 0 });
  });

  test("while the agent waits for an answer", async () => {
    const link = linkTo(
      `next; init; ask; ${STILL_OPEN}; exit 0`,
      {},
      {
        can_use_tool: async () => {
          await new Promise((resolve) => setTimeout(resolve, 200));
          return { behavior: "allow" };
        },
      },
    );
    link.send(PROMPT);
    expect(await link.drain()).toMatchObject({ exitCode: 0 });
  });

  test("while a background task runs after the turn, and for the turn that its end starts", async () => {
    const script = `next; init; started; result; sleep 0.3; notified; init; ask; ${STILL_OPEN}; exit 0`;
    const link = linkTo(script, {}, { can_use_tool: () => ({ behavior: "deny", message: "no" }) });
    link.send(PROMPT);
    expect(await link.drain()).toMatchObject({ exitCode: 0 });
  });

  test("no longer than the limit for a background task that never ends", async () => {
    const link = linkTo("next; init; started; result; next; exit 0", { deadlines: { backgroundMs: 200 } });
    link.send(PROMPT);
    const { value, ms } = await timed(() => link.drain());
    expect(value).toMatchObject({ exitCode: 0 });
    expect(ms).toBeGreaterThan(190);
  });

  test("while a second prompt may still get its own turn, but not forever if it joined the first", async () => {
    const two = linkTo(`next; init; next; result; sleep 0.1; init; ask; ${STILL_OPEN}; exit 0`);
    two.send(PROMPT);
    two.send(PROMPT);
    expect(await two.drain()).toMatchObject({ exitCode: 0 });
    const one = linkTo("next; init; next; result; next; exit 0");
    one.send(PROMPT);
    one.send(PROMPT);
    expect(await one.drain()).toMatchObject({ exitCode: 0 });
  });

  test("while a request of the host is open", async () => {
    const link = linkTo("next; sleep 0.2; answer; next && exit 9; exit 0");
    const asked = link.request("interrupt", {});
    const drained = link.drain();
    await expect(asked).resolves.toBeDefined();
    expect(await drained).toMatchObject({ exitCode: 0 });
  });
});

test("an agent that does not exit after its input has ended is stopped, which is not an error", {
  timeout: 30_000,
}, async () => {
  const link = linkTo("next; init; result; sleep 60", { deadlines: { exitMs: 200 } });
  link.send(PROMPT);
  const ending = await link.drain();
  expect(ending).toMatchObject({ exitSignal: "SIGTERM" });
  expect(ending).not.toHaveProperty("error");
});

test("an abort rejects everything that is open with aborted", { timeout: 30_000 }, async () => {
  const abort = new AbortController();
  const link = linkTo("next; init; sleep 60", { signal: abort.signal });
  link.send(PROMPT);
  const asked = link.request("interrupt", {}).catch((error: unknown) => error);
  expect(await link.messages.ready()).toBe(true);
  abort.abort();
  expect(await asked).toMatchObject({ code: "aborted" });
  expect((await link.ended).error).toMatchObject({ code: "aborted", exitSignal: "SIGTERM" });
  expect(() => link.send(PROMPT)).toThrow(expect.objectContaining({ code: "aborted" }));
});

test("a caller withdraws its own request, and the agent is notified", { timeout: 30_000 }, async () => {
  const abort = new AbortController();
  const link = linkTo("next; next; case $line in *control_cancel_request*) result;; esac; next");
  const asked = link.request("interrupt", {}, { signal: abort.signal }).catch((error: unknown) => error);
  abort.abort();
  expect(await asked).toMatchObject({ code: "aborted" });
  expect(await link.messages.ready()).toBe(true);
});

test.each([
  ["1.0.22", ["control_request", "keep_alive"]],
  ["2.0.77", ["keep_alive"]],
  ["2.1.325", []],
])(
  "an agent of version %s is not sent %s, which would end it",
  { timeout: 30_000 },
  async (text, refused) => {
    const link = linkTo("while next; do case $line in *request_id*) answer;; esac; done", {
      version: versionOf(text),
    });
    const asked = await link.request("interrupt", {}).then(
      () => "taken",
      ({ code }) => code,
    );
    expect(asked).toBe(refused.includes("control_request") ? "unsupported_request" : "taken");
    const sending = () => link.send({ type: "keep_alive" });
    if (refused.includes("keep_alive"))
      expect(sending).toThrow(expect.objectContaining({ code: "unsupported_request" }));
    else expect(sending).not.toThrow();
  },
);

test("an agent that does not support withdrawals is not sent any", { timeout: 30_000 }, async () => {
  const link = linkTo("next; next; case $line in *interrupt*) answer;; *) exit 1;; esac; next", {
    version: versionOf("2.0.77"),
  });
  await expect(link.request("get_settings", {}, { deadlineMs: 50 })).rejects.toMatchObject({
    code: "request_timeout",
  });
  await expect(link.request("interrupt", {})).resolves.toBeDefined();
});

function versionOf(text: string): Version {
  const [major = 0, minor = 0, patch = 0] = text.split(".").map(Number);
  return { major, minor, patch };
}

test("draining or waiting after the end returns immediately", { timeout: 30_000 }, async () => {
  const link = linkTo("next; init; exit 3");
  link.send(PROMPT);
  await link.ended;
  await link.settled();
  expect(await link.drain()).toMatchObject({ exitCode: 3 });
});
