import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DialectName } from "@agentwire/protocol/dialect";
import { expect, onTestFinished, test } from "vitest";
import { openSession, type Session } from "../../src/session/session.ts";
import { freshFolder } from "../programs/shell-agent.ts";

const AGENT = fileURLToPath(new URL("../../../agent/bin/agentwire-agent", import.meta.url));

async function resultOf(session: Session, prompt: string): Promise<string> {
  session.send(prompt);
  for await (const message of session.messages)
    if (message.type === "result") return "result" in message ? String(message.result) : message.subtype;
  throw new Error("the agent ended without a result");
}

test.each<DialectName>(["claude", "claude-v1", "miriad", "jsonrpc", "dart", "acp"])(
  "our own agent talks, asks, answers requests and exits in the dialect %s",
  { timeout: 60_000 },
  async (dialect) => {
    const cwd = freshFolder();
    const asked: unknown[] = [];
    const session = await openSession({
      agent: AGENT,
      dialect,
      cwd,
      env: { PATH: process.env.PATH, HOME: cwd },
      permissions: ({ tool_name, input }) => {
        asked.push([tool_name, input.command]);
        return input.command === "touch yes"
          ? { behavior: "allow" }
          : { behavior: "deny", message: "not this one" };
      },
    });
    onTestFinished(async () => {
      await session.close();
    });
    expect(session.agent).toMatchObject({ dialect, verdict: { level: "FULLY_COMPATIBLE" } });
    await resultOf(session, "run `touch yes`");
    expect(await resultOf(session, "run `touch no`")).toContain("not this one");
    expect(existsSync(join(cwd, "yes")) && !existsSync(join(cwd, "no"))).toBe(true);
    expect(asked).toEqual([
      ["Bash", "touch yes"],
      ["Bash", "touch no"],
    ]);
    await expect(session.request("set_permission_mode", { mode: "plan" })).resolves.toMatchObject({});
    await expect(session.request("interrupt", {})).resolves.toMatchObject({ still_queued: [] });
    const { exitCode, error } = await session.drain();
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: undefined });
  },
);
