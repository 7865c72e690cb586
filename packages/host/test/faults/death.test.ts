import { describe, expect, test } from "vitest";
import { FRAMES, linkTo, PROMPT, timed, typesOf } from "../programs/shell-agent.ts";

const TURN = ["init", "text", "tool", "toolResult", "text", "result"] as const;

describe("an agent that dies", { timeout: 30_000 }, () => {
  test.each(TURN.map((_, index) => index))(
    "after %i lines of a turn is reported as an error",
    async (count) => {
      const frames = TURN.slice(0, count);
      const link = linkTo(`${["next", ...frames].join("; ")}; echo 'out of memory' >&2; exit 7`);
      link.send(PROMPT);
      expect(await typesOf(link)).toEqual(frames.map((name) => JSON.parse(FRAMES[name]).type));
      const { error } = await link.ended;
      expect(error).toMatchObject({ code: "exited", exitCode: 7, pid: link.pid, stderr: "out of memory" });
      expect(error?.message).toContain("out of memory");
    },
  );

  test("after megabytes on stderr keeps the tail of it, without anything that looks like a secret", async () => {
    const noise = "head -c 3000000 /dev/zero | tr '\\0' x >&2";
    const link = linkTo(
      `next; ${noise}; echo ' Authorization: Bearer abcdefgh12345678' >&2; echo end >&2; exit 1`,
    );
    link.send(PROMPT);
    const { error } = await link.ended;
    expect(error?.stderr).toHaveLength(4096 - "abcdefgh12345678\n".length + "[redacted]".length);
    expect(error?.stderr).toMatch(/^x+ Authorization: Bearer \[redacted\]\nend$/);
    expect(error?.message.length).toBeLessThan(1200);
  });

  test("with code 0 during a turn is not a success", async () => {
    const link = linkTo("next; init; exit 0");
    link.send(PROMPT);
    expect((await link.ended).error).toMatchObject({ code: "exited", exitCode: 0 });
  });

  test("with code 0 after the result is a success", async () => {
    const link = linkTo("next; init; result; exit 0");
    link.send(PROMPT);
    expect(await link.ended).not.toHaveProperty("error");
  });

  test("by a signal reports which one", async () => {
    const link = linkTo("next; init; kill -s KILL $$");
    link.send(PROMPT);
    expect((await link.ended).error).toMatchObject({ code: "killed", exitSignal: "SIGKILL" });
  });

  test("in the middle of a line loses that line, and nothing before it", async () => {
    const link = linkTo(`next; init; printf '{"type":"assistant","mess'; exit 1`);
    link.send(PROMPT);
    expect(await typesOf(link)).toEqual(["system"]);
    expect((await link.ended).error).toMatchObject({ code: "exited", exitCode: 1 });
  });

  test("with a last line that lacks only its newline loses nothing", async () => {
    const link = linkTo(`next; init; printf '%s' '${FRAMES.result}'; exit 0`);
    link.send(PROMPT);
    expect(await typesOf(link)).toEqual(["system", "result"]);
    expect(await link.ended).not.toHaveProperty("error");
  });

  test("settles every open request with the reason", async () => {
    const link = linkTo("next; next; echo gone >&2; exit 9");
    const asked = [link.request("get_settings", {}), link.request("mcp_status", {})];
    for (const outcome of await Promise.allSettled(asked))
      expect(outcome).toMatchObject({
        status: "rejected",
        reason: { code: "exited", exitCode: 9, stderr: "gone" },
      });
    await expect(link.request("interrupt", {})).rejects.toMatchObject({ code: "exited" });
    expect(() => link.send(PROMPT)).toThrow(expect.objectContaining({ code: "exited" }));
  });

  test("has its open question withdrawn", async () => {
    let withdrawn = false;
    const link = linkTo(
      "next; init; ask; exit 5",
      {},
      {
        can_use_tool: (_request, { signal }) =>
          new Promise(() => {
            signal.addEventListener("abort", () => {
              withdrawn = true;
            });
          }),
      },
    );
    link.send(PROMPT);
    expect((await link.ended).error).toMatchObject({ code: "exited", exitCode: 5 });
    expect(withdrawn).toBe(true);
  });
});

describe("an agent that closes", { timeout: 30_000 }, () => {
  test("its input turns sending into an error, never a crash", async () => {
    const link = linkTo("exec 0<&-; init; sleep 60");
    expect(await link.messages.ready()).toBe(true);
    const failure = await untilThrown(() => link.send(PROMPT));
    expect(failure).toMatchObject({ code: "input_closed", pid: link.pid });
    await expect(link.request("interrupt", {})).rejects.toMatchObject({ code: "input_closed" });
    expect(await link.close()).not.toHaveProperty("error");
  });

  test("its output and stays is stopped", async () => {
    const link = linkTo("exec 1>&-; sleep 60");
    const { value: failure, ms } = await timed(() =>
      link.request("interrupt", {}).catch((error: unknown) => error),
    );
    expect(failure).toMatchObject({ code: "output_closed" });
    expect(ms).toBeLessThan(5000);
    expect((await link.ended).error).toMatchObject({ code: "output_closed", exitSignal: "SIGTERM" });
  });
});

/** Calls until it throws: the system reports a closed pipe only at a later write. */
async function untilThrown(call: () => void): Promise<unknown> {
  for (;;) {
    try {
      call();
    } catch (error) {
      return error;
    }
    await new Promise(setImmediate);
  }
}
