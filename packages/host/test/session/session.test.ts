import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { DialectName } from "@agentwire/protocol/dialect";
import { describe, expect, onTestFinished, test } from "vitest";
import { openSession, type Session } from "../../src/session/session.ts";
import type { SessionOptions } from "../../src/session/session-options.ts";
import { bundled } from "../programs/bundled.ts";
import { freshFolder, SHORT, shellAgent } from "../programs/shell-agent.ts";

/** A session with an agent written as a shell script, after the handshake. */
async function sessionWith(script: string, options: SessionOptions = {}): Promise<Session> {
  const { command, args, env } = shellAgent(`next; answer; ${script}`);
  const session = await openSession({ command: [command, ...args], env, deadlines: SHORT, ...options });
  onTestFinished(async () => {
    await session.close();
  });
  return session;
}

async function typesOf(session: Session): Promise<string[]> {
  const types: string[] = [];
  for await (const message of session.messages) types.push(message.type);
  return types;
}

describe("a session", { timeout: 30_000 }, () => {
  test("keeps every message for the first reader, however late", async () => {
    const session = await sessionWith("next; init; text; result");
    const id = session.send("hello");
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    await session.ended;
    expect(await typesOf(session)).toEqual(["system", "assistant", "result"]);
  });

  test.each([
    [{ agnet: "claude" }, "unsupported_option", "agnet"],
    [{ dialect: "klingon" }, "invalid_option", 'dialect should be "claude"'],
    [{ deadlines: { silence: 1 } }, "unsupported_option", "silence"],
    [{ deadlines: { silenceMs: Number.NaN } }, "invalid_option", "silenceMs"],
    [{ deadlines: 5 }, "invalid_option", "deadlines"],
    [{ permissions: "strem" }, "invalid_option", '"stream"'],
    [{ command: [] }, "invalid_option", "command"],
    [{ args: "--verbose" }, "invalid_option", "args"],
    [{ signal: {} }, "invalid_option", "AbortSignal"],
    [{ handlers: { hook_callback: {} } }, "invalid_option", "handlers"],
    [{ maxLineBytes: -1 }, "invalid_option", "maxLineBytes"],
    [{ onMessage: "log" }, "invalid_option", "onMessage"],
  ])("is not opened with options that no agent could honor: %j", async (options, code, name) => {
    const opened = openSession(options as SessionOptions);
    await expect(opened).rejects.toMatchObject({ code, message: expect.stringContaining(name) });
  });

  test("is not opened by an agent that exits instead of answering", async () => {
    await expect(sessionWith("", { command: ["true"] })).rejects.toMatchObject({
      code: "exited",
      exitCode: 0,
    });
    const opened = sessionWith("", { command: ["sleep", "60"], deadlines: { ...SHORT, firstLineMs: 100 } });
    await expect(opened).rejects.toMatchObject({ code: "no_first_line", exitSignal: "SIGTERM" });
  });

  test.each([undefined, 5, {}, { type: "control_request" }])(
    "does not send %j as a prompt",
    async (prompt) => {
      const session = await sessionWith("cat >/dev/null");
      const send = () => session.send(prompt as unknown as string);
      expect(send).toThrow(expect.objectContaining({ code: "invalid_option" }));
    },
  );

  test("answers concurrent calls of next in order", async () => {
    const session = await sessionWith("next; init; text; result");
    const messages = session.messages[Symbol.asyncIterator]();
    const calls = Promise.all([1, 2, 3, 4].map(() => messages.next()));
    session.send("hello");
    expect((await calls).map(({ value }) => value?.type)).toEqual([
      "system",
      "assistant",
      "result",
      undefined,
    ]);
  });

  test("accepts one prompt after another", async () => {
    const session = await sessionWith("next; init; result; next; init; result; next; exit 0");
    const types: string[] = [];
    session.send("one");
    for await (const message of session.messages) {
      types.push(message.type);
      if (types.length === 2) session.send([{ type: "text", text: "two" }]);
      if (types.length === 4) void session.drain();
    }
    expect(types).toEqual(["system", "result", "system", "result"]);
  });

  test("throws at the end of its messages if the agent ended unexpectedly", async () => {
    const session = await sessionWith("next; init; exit 4");
    session.send("hello");
    await expect(typesOf(session)).rejects.toMatchObject({ code: "exited", exitCode: 4 });
  });

  test("does not treat an exit with 1 after a failed turn as an error", async () => {
    const session = await sessionWith("next; init; failed; next; exit 1");
    session.send("hello");
    expect(await session.drain()).not.toHaveProperty("error");
    expect(await typesOf(session)).toEqual(["system", "result"]);
  });

  test("is closed by await using", async () => {
    let session: Session;
    {
      await using opened = await sessionWith("next; sleep 60");
      session = opened;
    }
    expect(await session.ended).toMatchObject({ exitSignal: expect.any(String) });
    expect(() => session.send("hello")).toThrow(expect.objectContaining({ code: "closed" }));
    await expect(session.request("interrupt", {})).rejects.toMatchObject({ code: "closed" });
    expect(await typesOf(session)).toEqual([]);
  });

  test("answers a request with the agent's answer, or with a typed error", async () => {
    const refuse = `id=\${line#*'"request_id":"'}; id=\${id%%'"'*}
      printf '{"type":"control_response","response":{"subtype":"error","request_id":"%s","error":"no such mode","error_code":"invalid_mode"}}\\n' "$id"`;
    const session = await sessionWith(`next; answer; next; ${refuse}; next`);
    await expect(session.request("set_permission_mode", { mode: "plan" })).resolves.toBeDefined();
    await expect(session.request("set_permission_mode", { mode: "plan" })).rejects.toMatchObject({
      code: "request_failed",
      errorCode: "invalid_mode",
      message: "no such mode",
    });
  });

  test("rejects two ways of choosing the program", async () => {
    await expect(openSession({ command: ["sh"], agent: "claude" })).rejects.toMatchObject({
      code: "invalid_option",
    });
  });
});

describe("permission questions", { timeout: 30_000 }, () => {
  const ASKS = "next; init; ask; next; case $line in *'\"behavior\":\"'$1'\"'*) result;; *) failed;; esac";

  async function outcome(session: Session): Promise<boolean | undefined> {
    session.send("go");
    for await (const message of session.messages) if (message.type === "result") return !message.is_error;
    return undefined;
  }

  test("are answered by a function", async () => {
    const session = await sessionWith(`set -- allow; ${ASKS}`, {
      permissions: ({ tool_name }) =>
        tool_name === "Bash" ? { behavior: "allow" } : { behavior: "deny", message: "only Bash" },
    });
    expect(await outcome(session)).toBe(true);
  });

  test("are answered by the reader of the stream", async () => {
    const session = await sessionWith(`set -- deny; ${ASKS}`, { permissions: "stream" });
    const answered = (async () => {
      for await (const question of session.questions) {
        expect(question.request.tool_name).toBe("Bash");
        question.deny("not today");
        question.allow();
      }
    })();
    expect(await outcome(session)).toBe(true);
    await session.close();
    await answered;
  });

  test("that the agent withdraws are left out of the stream", async () => {
    const cancel = `printf '{"type":"control_cancel_request","request_id":"q1"}\\n'`;
    const session = await sessionWith(`next; init; ask; ${cancel}; result; next; exit 0`, {
      permissions: "stream",
    });
    expect(await outcome(session)).toBe(true);
    await session.drain();
    for await (const question of session.questions) expect.unreachable(question.request.tool_name);
  });

  test("are denied if nobody decides", async () => {
    expect(await outcome(await sessionWith(`set -- deny; ${ASKS}`))).toBe(true);
  });
});

describe("a session with an agent of another dialect", { timeout: 30_000 }, () => {
  const DIALECTS: readonly DialectName[] = ["claude", "claude-v1", "miriad", "jsonrpc", "dart", "acp"];

  test.each(DIALECTS)("%s: prompt, result and interrupt", async (dialect) => {
    const program = await echoAgent();
    const { PATH } = process.env;
    await using session = await openSession({ command: ["node", program, dialect], dialect, env: { PATH } });
    session.send("ping");
    const texts: unknown[] = [];
    for await (const message of session.messages) {
      if (message.type === "assistant") texts.push(message.message.content);
      if (message.type === "result") break;
    }
    expect(texts).toMatchObject([[{ type: "text", text: "ping" }]]);
    await expect(session.request("interrupt", {})).resolves.toBeDefined();
    expect(await session.drain()).toMatchObject({ exitCode: 0 });
  });
});

async function echoAgent(): Promise<string> {
  const folder = join(freshFolder(), "agent");
  mkdirSync(folder);
  return bundled(new URL("../programs/echo-agent.ts", import.meta.url), folder, "echo-agent.mjs");
}
