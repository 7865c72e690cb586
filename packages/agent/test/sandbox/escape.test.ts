import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { debianProgram } from "../../../../test/debian.ts";
import { makeRange } from "../../../../test/escape/range.ts";
import { TRIES } from "../../../../test/escape/tries.ts";
import { follow } from "../agent-process.ts";
import { bash, playing } from "../model-source.ts";
import { asks, isResult, prompt } from "../wire.ts";

debianProgram("bubblewrap", ["/usr/bin/bwrap"]);
debianProgram("socat", ["/usr/bin/socat"]);

const PROGRAM = fileURLToPath(new URL("../../bin/agentwire-agent", import.meta.url));

test("no way out of the sandbox works", { timeout: 60_000 }, async () => {
  const range = await makeRange();
  try {
    const { project, home, temporary, hidden } = range;
    const settings = {
      sandbox: {
        enabled: true,
        autoAllowBashIfSandboxed: true,
        failIfUnavailable: true,
        filesystem: { denyRead: [hidden] },
      },
      permissions: { deny: ["Read(./.env)", "Edit(./locked/**)"] },
    };
    const script = await playing({ cwd: project } as never, {
      steps: [{ content: [bash(range.command)] }, { text: "done" }],
    });
    const flags = ["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"];
    const args = [
      ...flags,
      "--permission-prompt-tool",
      "stdio",
      "--settings",
      JSON.stringify(settings),
      ...script,
    ];
    const agent = follow(
      spawn(process.execPath, [PROGRAM, ...args], {
        cwd: project,
        env: { PATH: process.env.PATH, HOME: home, TMPDIR: temporary },
        stdio: ["pipe", "pipe", "pipe", ...Array(5).fill("ignore"), ...range.descriptors],
      }) as never,
    );
    agent.send(prompt("try"));
    const result = await agent.line(isResult);
    expect(result).toMatchObject({ is_error: false, permission_denials: [] });
    expect(agent.lines.filter(asks("can_use_tool"))).toEqual([]);
    expect(await range.escaped()).toEqual([]);
    expect(Object.keys(TRIES).length).toBeGreaterThanOrEqual(60);
    agent.child.stdin.end();
    await agent.ended();
  } finally {
    await range.close();
  }
});
