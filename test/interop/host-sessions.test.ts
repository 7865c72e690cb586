import { randomUUID } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as host from "@agentwire/host";
import { projectFolder, sessionFile } from "@agentwire/local/transcript";
import { describe, expect, test, vi } from "vitest";
import { openBench } from "./bench.ts";
import { resultOf } from "./messages.ts";
import { sdk } from "./official-sdk.ts";
import { say, use } from "./script.ts";
import { CASES, prompt } from "./session-cases.ts";
import { conversation, openSessionFolder } from "./session-folder.ts";

vi.setConfig({ testTimeout: 30_000 });

const PAGES = [{ limit: 2 }, { offset: 1 }, { limit: 1, offset: 1 }, { limit: 0 }, { offset: 99 }];

/** Every way of reading sessions, to compare both SDKs in all of them. */
async function everything(of: typeof host, ids: readonly string[], dir: string) {
  const read: unknown[] = [];
  for (const place of [{}, { dir }]) {
    read.push(await of.listSessions(place));
    for (const id of ids) {
      read.push(await of.getSessionInfo(id, place));
      read.push(await of.getSessionMessages(id, { ...place, includeSystemMessages: true }));
    }
  }
  read.push(await of.listSessions({ dir, includeWorktrees: false, includeProgrammatic: false }));
  for (const page of PAGES) {
    read.push(await of.listSessions(page));
    for (const id of ids) read.push(await of.getSessionMessages(id, page));
  }
  for (const id of ids) {
    const agents = (await of.listSubagents(id)).toSorted();
    read.push(agents);
    for (const agent of [...agents, "../../x", "", "nobody"])
      read.push(await of.getSubagentMessages(id, agent));
  }
  return read;
}

async function expectSame(ids: readonly string[], dir: string) {
  const [ours, theirs] = [
    await everything(host, ids, dir),
    await everything(sdk as unknown as typeof host, ids, dir),
  ];
  expect(ours).toEqual(theirs);
  return ours;
}

test.each(["cafe\u0301", "caf\u00e9", "\u65e5\u672c", `${"x".repeat(120)}/${"e\u0301".repeat(60)}`])(
  "sessions of the folder %s are found in the same place by both SDKs",
  async (name) => {
    const { root } = openSessionFolder();
    const project = join(root, name);
    const folder = projectFolder(join(root, "home"), project);
    for (const path of [project, folder]) mkdirSync(path, { recursive: true });
    const id = randomUUID();
    writeFileSync(
      sessionFile(folder, id),
      `${JSON.stringify(conversation(id, project)("user", prompt("hi")))}\n`,
    );
    expect(await host.listSessions({ dir: project })).toMatchObject([{ sessionId: id }]);
    expect(await sdk.listSessions({ dir: project })).toMatchObject([{ sessionId: id }]);
  },
);

describe("sessions that the agent wrote", () => {
  test("are read as the official SDK reads them", async () => {
    const bench = await openBench(
      {
        steps: [say("hello"), use("Bash", { command: "echo one" }), say("done")],
      },
      {},
    );
    vi.stubEnv("CLAUDE_CONFIG_DIR", bench.configDir);
    const first = resultOf(await bench.ask("first question"));
    const second = resultOf(
      await bench.ask("run it", {
        permissionMode: "bypassPermissions",
        allowDangerouslySkipPermissions: true,
      }),
    );
    const read = await expectSame([first.session_id, second.session_id, randomUUID()], bench.cwd);
    expect(read[0]).toHaveLength(2);
    vi.unstubAllEnvs();
  });
});

describe("a transcript with", () => {
  test.each(Object.entries(CASES))("%s is read as the official SDK reads it", async (_, lines) => {
    const folder = openSessionFolder();
    const id = randomUUID();
    folder.write(lines(folder, id), { id });
    await expectSame([id], folder.project);
  });
});

describe("the session folder", () => {
  test("with many sessions, pipes, links and other files is listed in the same order", async () => {
    const folder = openSessionFolder();
    const other = join(folder.root, "other");
    mkdirSync(other);
    const ids = Array.from({ length: 40 }, (_, i) => {
      const id = randomUUID();
      const of = i % 3 === 0 ? other : folder.project;
      return folder.write([conversation(id, of)("user", prompt(`prompt ${i}`))], { id, project: of });
    });
    const linked = randomUUID();
    symlinkSync(folder.path(ids[1] ?? ""), folder.path(linked));
    symlinkSync("/nowhere", folder.path(randomUUID()));
    mkdirSync(folder.path(randomUUID()));
    writeFileSync(join(folder.folderOf(folder.project), "notes.jsonl"), "{}");
    writeFileSync(folder.path(randomUUID()), "");
    symlinkSync(folder.folderOf(other), join(folder.folderOf(folder.project), "..", "linked-project"));
    await expectSame([ids[0] ?? "", ids[1] ?? "", linked], folder.project);
  });

  test.each(["../../../etc/passwd", "", ".", "x", "%2e%2e", `${randomUUID()}/..`, `${randomUUID()}\u0000`])(
    "is never left for an id such as %j",
    async (id) => {
      const folder = openSessionFolder();
      folder.write([conversation("s", folder.project)("user", prompt("hi"))]);
      await expectSame([id], folder.project);
      await expect(host.renameSession(id, "x")).rejects.toMatchObject({ code: "invalid_option" });
      await expect(host.deleteSession(id)).rejects.toMatchObject({ code: "invalid_option" });
      await expect(host.forkSession(id)).rejects.toMatchObject({ code: "invalid_option" });
      await expect(host.archiveSession(id)).rejects.toMatchObject({ code: "invalid_option" });
    },
  );
});
