import { randomUUID } from "node:crypto";
import { mkdirSync, openSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import * as host from "@agentwire/host";
import { isJsonObject } from "@agentwire/protocol";
import { describe, expect, test, vi } from "vitest";
import { sdk as official } from "./official-sdk.ts";
import { CASES, prompt, reply } from "./session-cases.ts";
import { conversation, openSessionFolder } from "./session-folder.ts";

vi.setConfig({ testTimeout: 30_000 });

const sdk = official as unknown as typeof host;

/** Later than any date in the transcripts: for a line without a date, only the current time is left. */
const LATEST = Date.parse("2026-02-01");

/** The lines of the odd transcripts that are objects; a store receives no others. */
const transcripts = (folder: ReturnType<typeof openSessionFolder>) =>
  Object.entries(CASES).map(([name, lines]) => {
    const id = randomUUID();
    const entries = lines(folder, id).filter((line) => typeof line === "object") as host.SessionStoreEntry[];
    return { name, id, entries };
  });

test("a summary is folded as the official SDK folds it, at once or line by line", () => {
  const folder = openSessionFolder();
  for (const { id, entries } of transcripts(folder)) {
    const key = { projectKey: "p", sessionId: id };
    const [ours, theirs] = [host, sdk].map((of) => {
      const whole = of.foldSessionSummary(undefined, key, entries, { mtime: 5 });
      const steps = entries.reduce<host.SessionSummaryEntry | undefined>(
        (summary, entry) => of.foldSessionSummary(summary, key, [entry], { mtime: 5 }),
        undefined,
      );
      if (entries.length > 0) expect(steps).toEqual(whole);
      return whole;
    });
    expect(ours).toEqual(theirs);
  }
});

describe.each(["summaries", "no summaries", "old summaries", "summaries only"])("a store with %s", (kind) => {
  test("is read as the official SDK reads it", async () => {
    const folder = openSessionFolder();
    const dir = folder.project;
    const store = new host.InMemorySessionStore();
    const projectKey = dir.replace(/[^a-zA-Z0-9]/g, "-");
    const ids: string[] = [];
    for (const { id, entries } of transcripts(folder)) {
      ids.push(id);
      await store.append({ projectKey, sessionId: id }, entries);
    }
    const sub = { projectKey, sessionId: ids[0] ?? "", subpath: "subagents/deep/agent-a1" };
    const add = conversation(sub.sessionId, dir);
    await store.append(sub, [
      { type: "agent_metadata", toolUseId: "toolu_1", parentAgentId: "p1" },
      add("user", prompt("do it"), { isSidechain: true }),
      add("assistant", reply("did it"), { isSidechain: true }),
    ]);
    const sessionStore: host.SessionStore = {
      append: (key, entries) => store.append(key, entries),
      load: (key) => store.load(key),
      listSubkeys: (key) => store.listSubkeys(key),
      ...(kind !== "summaries only" && { listSessions: (key: string) => store.listSessions(key) }),
      ...(kind !== "no summaries" && {
        listSessionSummaries: async (key: string) => {
          const all = await store.listSessionSummaries(key);
          return kind === "old summaries" ? all.map((each) => ({ ...each, mtime: 0 })) : all;
        },
      }),
    };
    const [ours, theirs] = await Promise.all(
      [host, sdk].map(async (of) => {
        const place = { dir, sessionStore };
        const read: unknown[] = [await of.listSessions(place)];
        for (const page of [{ limit: 3 }, { offset: 4, limit: 2 }, { offset: 90 }]) {
          read.push(await of.listSessions({ ...place, ...page }));
        }
        for (const id of [...ids, randomUUID(), "../x"]) {
          const info = await of.getSessionInfo(id, place);
          read.push(info && { ...info, lastModified: Math.min(info.lastModified, LATEST) });
          read.push(await of.getSessionMessages(id, { ...place, includeSystemMessages: true }));
          read.push(await of.listSubagents(id, place));
          for (const agent of ["a1", "", "deep/agent-a1"]) {
            read.push(await of.getSubagentMessages(id, agent, place));
          }
        }
        return read;
      }),
    );
    expect(ours).toEqual(theirs);
  });
});

// The official SDK also passes on JSON lines that are not objects, which no store can keep according to its own types.
test("a session is imported into a store line by line, with its subagents", async () => {
  const folder = openSessionFolder();
  const id = randomUUID();
  folder.write(CASES["lines that are torn, foreign or not objects"]?.(folder, id) ?? [], { id });
  const beside = join(folder.folderOf(folder.project), id, "subagents", "deep");
  mkdirSync(beside, { recursive: true });
  writeFileSync(join(beside, "agent-a.jsonl"), `${JSON.stringify({ type: "user", uuid: randomUUID() })}\n`);
  writeFileSync(join(beside, "agent-a.meta.json"), JSON.stringify({ toolUseId: "toolu_1" }));
  const calls = [];
  for (const of of [host, sdk]) {
    for (const options of [{}, { batchSize: 1 }, { includeSubagents: false }, { dir: folder.project }]) {
      const made: unknown[] = [];
      const store: host.SessionStore = {
        append: async (key, entries) => {
          const objects = entries.filter(isJsonObject);
          if (objects.length > 0) made.push([key, structuredClone(objects)]);
        },
        load: async () => null,
      };
      await of.importSessionToStore(id, store, options);
      calls.push(made);
    }
  }
  expect(calls.slice(0, 4)).toEqual(calls.slice(4));
  await expect(
    host.importSessionToStore(randomUUID(), new host.InMemorySessionStore()),
  ).rejects.toMatchObject({ code: "session_not_found" });
});

test("the in-memory store keeps what the official one keeps", async () => {
  const [ours, theirs] = await Promise.all(
    [new host.InMemorySessionStore(), new official.InMemorySessionStore()].map(async (store) => {
      const key = { projectKey: "p", sessionId: "s" };
      const sub = { ...key, subpath: "subagents/agent-a" };
      await store.append(key, [{ type: "user", message: { content: "hi" } }]);
      await store.append(sub, [{ type: "user" }]);
      await store.append({ projectKey: "q", sessionId: "t" }, [{ type: "user" }]);
      const kept = [
        await store.load(key),
        await store.load({ projectKey: "p", sessionId: "none" }),
        (await store.listSessions("p")).map(({ sessionId }) => sessionId),
        (await store.listSessionSummaries("p")).map(({ data }) => data),
        await store.listSubkeys(key),
        store.size,
        store.getEntries(sub),
      ];
      await store.delete(key);
      kept.push(store.size, await store.load(sub), store.getEntries(key));
      store.clear();
      return [...kept, store.size];
    }),
  );
  expect(ours).toEqual(theirs);
});

describe("a huge transcript", () => {
  test("is listed by reading only its two ends", async () => {
    const folder = openSessionFolder();
    const id = randomUUID();
    folder.write([conversation(id, folder.project)("user", prompt("first"))], { id });
    const SIZE = 64 * 1024 ** 3;
    // A sparse file uses no disk space, but reading it would take minutes.
    truncateSync(folder.path(id), SIZE);
    const file = openSync(folder.path(id), "r+");
    writeSync(file, `\n${JSON.stringify({ type: "custom-title", customTitle: "last" })}\n`, SIZE);
    const listed = await host.listSessions();
    expect(listed).toMatchObject([{ sessionId: id, customTitle: "last", firstPrompt: "first" }]);
    expect(listed).toEqual(await sdk.listSessions());
    await host.tagSession(id, "big");
    expect(await host.getSessionInfo(id)).toMatchObject({ tag: "big" });
  });

  test("is read from its last summary onward", async () => {
    const folder = openSessionFolder();
    const id = randomUUID();
    const add = conversation(id, folder.project);
    const before = Array.from({ length: 60 }, (_, i) => add("user", prompt(`${i} ${"x".repeat(100_000)}`)));
    const boundary = add("system", undefined, {
      subtype: "compact_boundary",
      parentUuid: null,
      compactMetadata: {},
    });
    folder.write(
      [
        ...before,
        boundary,
        add("user", prompt("summary"), { isCompactSummary: true }),
        add("assistant", reply("on")),
      ],
      { id },
    );
    const messages = await host.getSessionMessages(id);
    expect(messages).toHaveLength(2);
    expect(messages).toEqual(await sdk.getSessionMessages(id));
  });

  test("with many branches and summaries is linked without repeated traversal", async () => {
    const folder = openSessionFolder();
    const id = randomUUID();
    const add = conversation(id, folder.project);
    const lines: object[] = [];
    for (let i = 0; i < 4000; i++) {
      lines.push(add("user", prompt("a")), add("progress", undefined));
      const summary = add("system", undefined, { subtype: "compact_boundary" });
      Object.assign(summary, {
        compactMetadata: {
          preservedSegment: { headUuid: summary.uuid, tailUuid: summary.uuid, anchorUuid: summary.uuid },
        },
      });
      lines.push(summary);
    }
    folder.write(lines, { id });
    const started = performance.now();
    await host.getSessionMessages(id);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
