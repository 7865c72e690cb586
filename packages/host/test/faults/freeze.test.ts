import { parseVersion } from "@agentwire/protocol/compatibility";
import { describe, expect, test } from "vitest";
import { linkTo, PROMPT, timed, typesOf } from "../programs/shell-agent.ts";

const stopped = "kill -s STOP $$";

describe("an agent that freezes", { timeout: 30_000 }, () => {
  test("before its first line is an error once it has been sent a request", async () => {
    const link = linkTo(stopped, { deadlines: { firstLineMs: 300 } });
    link.send(PROMPT);
    const { value, ms } = await timed(() => link.ended);
    expect(value.error).toMatchObject({ code: "no_first_line", pid: link.pid });
    expect(ms).toBeLessThan(4000);
  });

  test("during a turn is reported as silent", async () => {
    const link = linkTo(`next; init; ${stopped}`, { deadlines: { silenceMs: 300 } });
    link.send(PROMPT);
    expect(await typesOf(link)).toEqual(["system"]);
    expect((await link.ended).error).toMatchObject({ code: "silent" });
  });

  test("during a request fails that request, and the link survives", async () => {
    const link = linkTo("next; answer; next; while :; do next && answer; done");
    await link.request("interrupt", {});
    await expect(link.request("get_settings", {}, { deadlineMs: 200 })).rejects.toMatchObject({
      code: "request_timeout",
    });
    // The withdrawal was the next line, and this agent answers that too.
    await expect(link.request("interrupt", {}, { deadlineMs: 10_000 })).resolves.toMatchObject({
      still_queued: [],
    });
  });

  test("at close is killed", async () => {
    const link = linkTo(`trap '' TERM; init; ${stopped}; while :; do sleep 1; done`, {});
    expect(await link.messages.ready()).toBe(true);
    const { value, ms } = await timed(() => link.close());
    expect(value).toMatchObject({ exitSignal: "SIGKILL" });
    expect(value).not.toHaveProperty("error");
    expect(ms).toBeLessThan(5000);
  });
});

describe("silence is not an error", { timeout: 30_000 }, () => {
  test("before anything is sent", async () => {
    const link = linkTo("next; init; result", { deadlines: { firstLineMs: 100, silenceMs: 100 } });
    await new Promise((resolve) => setTimeout(resolve, 400));
    link.send(PROMPT);
    expect(await typesOf(link)).toEqual(["system", "result"]);
    expect(await link.ended).not.toHaveProperty("error");
  });

  test("while a tool runs", async () => {
    const link = linkTo("next; init; tool; sleep 0.6; toolResult; result", { deadlines: { silenceMs: 250 } });
    link.send(PROMPT);
    expect((await typesOf(link)).at(-1)).toBe("result");
    expect(await link.ended).not.toHaveProperty("error");
  });

  test("while the host has a question open", async () => {
    const link = linkTo(
      "next; init; ask; next; result",
      { deadlines: { silenceMs: 250 } },
      {
        can_use_tool: async () => {
          await new Promise((resolve) => setTimeout(resolve, 600));
          return { behavior: "deny", message: "no" };
        },
      },
    );
    link.send(PROMPT);
    expect((await typesOf(link)).at(-1)).toBe("result");
  });

  test("between turns", async () => {
    const link = linkTo("next; init; result; next; init; result", { deadlines: { silenceMs: 150 } });
    link.send(PROMPT);
    expect(await link.messages.ready()).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 500));
    link.send(PROMPT);
    expect(await typesOf(link)).toEqual(["system", "result", "system", "result"]);
  });

  test("while its output is not read", async () => {
    const lines =
      'i=0; while [ $i -lt 400 ]; do printf \'{"type":"x","pad":"%s"}\\n\' "$pad"; i=$((i+1)); done';
    const pad = "pad=$(printf %65536s | tr ' ' y)";
    const link = linkTo(`next; init; ${pad}; ${lines}; result`, { deadlines: { silenceMs: 500 } });
    link.send(PROMPT);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect((await typesOf(link)).length).toBe(402);
    expect(await link.ended).not.toHaveProperty("error");
  });
});

describe("an agent that is silent while its tool runs", { timeout: 30_000 }, () => {
  const [newest, old, oldest] = ["2.1.325", "1.0.128", "1.0.22"].map((text) => {
    const version = parseVersion(text);
    if (!version) throw new Error(`${text} is not a version`);
    return version;
  });
  const deadlines = { silenceMs: 300 };
  const hangs = "next; init; tool; while next; do :; done";

  test.each([
    ["of the current release", newest],
    ["from an older release", old],
  ])("and does not answer is frozen, if it is one %s", async (_, version) => {
    const link = linkTo(hangs, { ...(version && { version }), deadlines });
    link.send(PROMPT);
    expect(await typesOf(link)).toEqual(["system", "assistant"]);
    expect((await link.ended).error).toMatchObject({
      code: "silent",
      message: expect.stringContaining("frozen"),
    });
  });

  test("and answers is left alone, and asked again", async () => {
    const script = "next; init; tool; next; answer; next; answer; toolResult; result";
    const link = linkTo(script, { ...(newest && { version: newest }), deadlines });
    link.send(PROMPT);
    expect((await typesOf(link)).at(-1)).toBe("result");
    expect(await link.ended).not.toHaveProperty("error");
  });

  test("is ended when its tool exceeds the limit, even if the agent answers", async () => {
    const script = "next; init; tool; while next; do answer; done";
    const link = linkTo(script, {
      ...(newest && { version: newest }),
      deadlines: { ...deadlines, toolMs: 1500 },
    });
    link.send(PROMPT);
    await typesOf(link);
    expect((await link.ended).error?.message).toContain("1500 ms while a tool ran");
  });

  test.each([
    ["can't be asked", oldest],
    ["is of an unknown version", undefined],
  ])("is not probed if it %s", async (_, version) => {
    const script = "next; init; tool; (sleep 1.2; toolResult; result) & next; exit 9";
    const link = linkTo(script, { ...(version && { version }), deadlines });
    link.send(PROMPT);
    expect(await link.messages.ready()).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 1600));
    link.endInput();
    expect((await typesOf(link)).at(-1)).toBe("result");
  });
});
