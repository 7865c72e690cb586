import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SessionService } from "@agentwire/api";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { expect, test } from "vitest";
import { defaultConfig, startDaemon } from "../../daemon/src/index.ts";
import { silentLog } from "../../protocol/src/index.ts";
import { follow } from "../src/follow.ts";

test("a session of another history, as after the restore of a backup, is told to be that", async () => {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-web-follow-"));
  const env = { PATH: process.env.PATH, HOME: folder, AGENTWIRE_HOME: join(folder, "state") };
  const running = await startDaemon(defaultConfig(env, folder), silentLog);
  try {
    const socketPath = running.addresses[0] ?? "";
    const transport = createConnectTransport({
      baseUrl: "http://localhost",
      httpVersion: "1.1",
      nodeOptions: { socketPath },
    });
    const sessions = createClient(SessionService, transport);
    const { session } = await sessions.createSession({ cwd: folder });
    const seen = [];
    for await (const { type } of follow({ sessions }, session?.id ?? "", 1000n, new AbortController().signal))
      seen.push(type);
    expect(seen).toEqual(["restored"]);
  } finally {
    await running.stop();
    rmSync(folder, { recursive: true });
  }
}, 30_000);
