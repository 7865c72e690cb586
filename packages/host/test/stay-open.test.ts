import { describe, expect, test } from "vitest";
import { linkTo, PROMPT, timed, typesOf } from "./faults/shell-agent.ts";

/** Says `result` only if the line that comes next is no end of input. */
const STILL_OPEN = "next && result || exit 9";

describe("input stays open", { timeout: 30_000 }, () => {
  test("until the turn is over, then ends by itself", async () => {
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

  test("while a background task runs after the turn, whose end starts a turn of its own", async () => {
    const script = `next; init; started; result; sleep 0.3; notified; init; ask; ${STILL_OPEN}; exit 0`;
    const link = linkTo(script, {}, { can_use_tool: () => ({ behavior: "deny", message: "no" }) });
    link.send(PROMPT);
    expect(await link.drain()).toMatchObject({ exitCode: 0 });
  });

  test("no longer than allowed for a background task that never ends", async () => {
    const link = linkTo("next; init; started; result; next; exit 0", { deadlines: { backgroundMs: 200 } });
    link.send(PROMPT);
    const { value, ms } = await timed(() => link.drain());
    expect(value).toMatchObject({ exitCode: 0 });
    expect(ms).toBeGreaterThan(190);
  });

  test("while a second prompt may still get its own turn, and not for ever if it joined the first", async () => {
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

test("an agent that does not exit after its input has ended is stopped, which is no error", {
  timeout: 30_000,
}, async () => {
  const link = linkTo("next; init; result; sleep 60", { deadlines: { exitMs: 200 } });
  link.send(PROMPT);
  const ending = await link.drain();
  expect(ending).toMatchObject({ exitSignal: "SIGTERM" });
  expect(ending).not.toHaveProperty("error");
});

test("an abort ends everything that is open with aborted", { timeout: 30_000 }, async () => {
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

test("a caller withdraws a request of its own, and the agent is told", { timeout: 30_000 }, async () => {
  const abort = new AbortController();
  const link = linkTo("next; next; case $line in *control_cancel_request*) result;; esac; next");
  const asked = link.request("interrupt", {}, { signal: abort.signal }).catch((error: unknown) => error);
  abort.abort();
  expect(await asked).toMatchObject({ code: "aborted" });
  expect(await link.messages.ready()).toBe(true);
});

test("an agent that takes prompts only is not sent what would end it", { timeout: 30_000 }, async () => {
  const link = linkTo("next; init; result; next", { version: { major: 1, minor: 0, patch: 22 } });
  await expect(link.request("interrupt", {})).rejects.toMatchObject({ code: "unsupported_request" });
  expect(() => link.send({ type: "keep_alive" })).toThrow(
    expect.objectContaining({ code: "unsupported_request" }),
  );
  link.send(PROMPT);
  expect(await link.drain()).toMatchObject({ exitCode: expect.any(Number) });
});

test("whoever drains or waits after the end does not wait", { timeout: 30_000 }, async () => {
  const link = linkTo("next; init; exit 3");
  link.send(PROMPT);
  await link.ended;
  await link.settled();
  expect(await link.drain()).toMatchObject({ exitCode: 3 });
});
