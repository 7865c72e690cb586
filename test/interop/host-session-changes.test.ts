import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as host from "@agentwire/host";
import { describe, expect, test, vi } from "vitest";
import { sdk as official } from "./official-sdk.ts";
import { CASES, prompt, reply } from "./session-cases.ts";
import { conversation, openSessionFolder, type SessionFolder } from "./session-folder.ts";

vi.setConfig({ testTimeout: 30_000 });

const sdk = official as unknown as typeof host;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** A text with its ids numbered in order and today's dates replaced. */
function normal(text: string): string {
  const ids = new Map<string, string>();
  const named = text.replace(UUID, (id) => {
    if (!ids.has(id)) ids.set(id, `id-${ids.size}`);
    return ids.get(id) ?? id;
  });
  const today = new Date().toISOString().slice(0, 8);
  return named.replace(new RegExp(`"${today}[^"]*Z"`, "g"), '"now"');
}

/** The lines of a text as objects, so that the order of keys does not matter. */
const objects = (text: string): unknown[] =>
  normal(text)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

function write(folder: SessionFolder, name: keyof typeof CASES): string {
  const id = randomUUID();
  return folder.write(CASES[name]?.(folder, id) ?? [], { id });
}

/** The same session twice, one for each SDK. */
const twins = (folder: SessionFolder, name: keyof typeof CASES) =>
  [host, sdk].map((of) => ({ of, id: write(folder, name) }));

const textOf = (folder: SessionFolder, id: string) => readFileSync(folder.path(id), "utf8");

describe("a change to a session", () => {
  const changes: Record<string, (of: typeof host, id: string) => Promise<unknown>> = {
    renaming: (of, id) => of.renameSession(id, "  a title "),
    tagging: (of, id) => of.tagSession(id, " r\u200be\u00add\ufb01 "),
    "removing the tag": (of, id) => of.tagSession(id, null),
  };
  test.each(Object.entries(changes))("writes the same line as the official SDK: %s", async (_, change) => {
    const folder = openSessionFolder();
    const written = [];
    for (const { of, id } of twins(folder, "a plain conversation")) {
      await change(of, id);
      written.push(normal(textOf(folder, id)));
    }
    expect(written[0]).toBe(written[1]);
  });

  test("starts a new line after a torn one", async () => {
    const folder = openSessionFolder();
    const id = folder.write([conversation("s", folder.project)("user", prompt("hi")), '{"type":"us'], {
      end: "",
    });
    await host.renameSession(id, "mine");
    expect(textOf(folder, id)).toMatch(/\n\{"type":"us\n\{"type":"custom-title"/);
    expect(await sdk.getSessionInfo(id)).toMatchObject({ customTitle: "mine" });
  });

  test("is refused if it is empty or the session does not exist", async () => {
    const folder = openSessionFolder();
    const id = write(folder, "a plain conversation");
    await expect(host.renameSession(id, " ")).rejects.toMatchObject({ code: "invalid_option" });
    await expect(host.tagSession(id, "\u200b")).rejects.toMatchObject({ code: "invalid_option" });
    for (const change of [host.archiveSession, host.deleteSession, host.forkSession, host.unarchiveSession]) {
      await expect(change(randomUUID())).rejects.toMatchObject({ code: "session_not_found" });
    }
    await expect(host.renameSession(id, "x", { dir: folder.root })).rejects.toMatchObject({
      code: "session_not_found",
    });
  });
});

describe("an archived session", () => {
  test("is archived for both SDKs until the next message", async () => {
    const folder = openSessionFolder();
    for (const [mine, other] of [
      [host, sdk],
      [sdk, host],
    ] as const) {
      const id = write(folder, "a plain conversation");
      await mine.archiveSession(id);
      expect(await other.getSessionInfo(id)).toMatchObject({ archived: true });
      expect(await mine.getSessionInfo(id)).toEqual(await other.getSessionInfo(id));
      await mine.unarchiveSession(id);
      expect(await other.getSessionInfo(id)).toMatchObject({ archived: false });
      await mine.archiveSession(id);
      const later = {
        type: "user",
        message: prompt("again"),
        timestamp: new Date(Date.now() + 1000).toISOString(),
      };
      writeFileSync(folder.path(id), `${textOf(folder, id)}${JSON.stringify(later)}\n`);
      expect(await other.getSessionInfo(id)).toMatchObject({ archived: false });
      expect(await mine.getSessionInfo(id)).toMatchObject({ archived: false });
    }
  });

  test("can't be archived in a store", async () => {
    openSessionFolder();
    const sessionStore = new host.InMemorySessionStore();
    await expect(host.archiveSession(randomUUID(), { sessionStore })).rejects.toMatchObject({
      code: "invalid_option",
    });
  });
});

describe("a deleted session", () => {
  test("is removed with its subagents", async () => {
    const folder = openSessionFolder();
    const id = write(folder, "a plain conversation");
    const beside = join(folder.folderOf(folder.project), id, "subagents");
    mkdirSync(beside, { recursive: true });
    writeFileSync(join(beside, "agent-a.jsonl"), "{}\n");
    await host.deleteSession(id, { dir: folder.project });
    expect(existsSync(folder.path(id))).toBe(false);
    expect(existsSync(join(beside, ".."))).toBe(false);
    expect(await host.listSessions()).toEqual([]);
  });
});

describe("a fork", () => {
  const names = [
    "a plain conversation",
    "titles of both kinds, a tag and a summary",
    "lines that are torn, foreign or not objects",
    "parallel calls",
    "a summary",
    "a summary that kept messages",
    "a summary that kept a list of messages",
    "a teammate's lines and progress",
    "two branches",
    "a session that moved",
  ] as const;
  test.each(names)("matches the official SDK's fork: %s", async (name) => {
    const folder = openSessionFolder();
    const forks = [];
    for (const { of, id } of twins(folder, name)) {
      const { sessionId } = await of.forkSession(id);
      forks.push(objects(textOf(folder, sessionId)));
    }
    expect(forks[0]).toEqual(forks[1]);
  });

  test("ends with the given message", async () => {
    const folder = openSessionFolder();
    const id = write(folder, "a plain conversation");
    const [first] = await host.getSessionMessages(id);
    for (const of of [host, sdk]) {
      const { sessionId } = await of.forkSession(id, { upToMessageId: first?.uuid ?? "", title: " short " });
      expect(await host.getSessionInfo(sessionId)).toMatchObject({ customTitle: "short" });
      expect(await host.getSessionMessages(sessionId)).toMatchObject([{ message: { content: "hi" } }]);
    }
    await expect(host.forkSession(id, { upToMessageId: randomUUID() })).rejects.toMatchObject({
      code: "invalid_option",
    });
  });

  test("of a session in a store is written to the store", async () => {
    openSessionFolder();
    const [ours, theirs] = [new host.InMemorySessionStore(), new official.InMemorySessionStore()];
    const forks = [];
    for (const [of, sessionStore] of [
      [host, ours],
      [sdk, theirs],
    ] as const) {
      const id = randomUUID();
      const add = conversation(id, "/p");
      await sessionStore.append({ projectKey: await keyOf(), sessionId: id }, [
        add("user", prompt("hi")),
        add("assistant", reply("yes")),
      ]);
      const { sessionId } = await of.forkSession(id, { sessionStore });
      const lines = await sessionStore.load({ projectKey: await keyOf(), sessionId });
      forks.push(objects((lines ?? []).map((line) => JSON.stringify(line)).join("\n")));
    }
    expect(forks[0]).toEqual(forks[1]);
  });
});

/** The key by which the official SDK requests the sessions of a folder from a store. */
async function keyOf(dir = "."): Promise<string> {
  const asked: string[] = [];
  const sessionStore: host.SessionStore = {
    append: async () => {},
    load: async ({ projectKey }) => {
      asked.push(projectKey);
      return null;
    },
  };
  await sdk.getSessionMessages(randomUUID(), { dir, sessionStore });
  return asked[0] ?? "";
}

describe("a worktree", () => {
  test("has its sessions listed with those of the repository", async () => {
    const folder = openSessionFolder();
    const tree = join(folder.root, "tree");
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: folder.project });
    git("init", "-q");
    git("commit", "-q", "--allow-empty", "-m", "first");
    git("worktree", "add", "-q", tree);
    const id = randomUUID();
    const ids = [
      write(folder, "a plain conversation"),
      folder.write([conversation(id, tree)("user", prompt("in the tree"))], { id, project: tree }),
    ];
    for (const dir of [folder.project, tree]) {
      const listed = await host.listSessions({ dir });
      expect(listed).toHaveLength(2);
      expect(listed).toEqual(await sdk.listSessions({ dir }));
      expect(await host.listSessions({ dir, includeWorktrees: false })).toHaveLength(1);
      for (const each of ids) expect(await host.getSessionInfo(each, { dir })).toBeDefined();
    }
    await host.renameSession(ids[1] ?? "", "renamed", { dir: folder.project });
    expect(await sdk.getSessionInfo(ids[1] ?? "")).toMatchObject({ customTitle: "renamed" });
  });

  test("is distinguished from another project whose folder has the same name", async () => {
    const folder = openSessionFolder();
    const [one, two] = [join(folder.root, "a-b"), join(folder.root, "a", "b")];
    mkdirSync(one);
    mkdirSync(two, { recursive: true });
    for (const project of [one, two]) {
      const id = randomUUID();
      folder.write([conversation(id, project)("user", prompt(project))], { id, project });
    }
    for (const dir of [one, two]) {
      const listed = await host.listSessions({ dir });
      expect(listed).toMatchObject([{ cwd: dir }]);
      expect(listed).toEqual(await sdk.listSessions({ dir }));
    }
  });

  test("with a very long path is found by its shortened name", async () => {
    const folder = openSessionFolder();
    const project = join(folder.root, ...Array.from({ length: 9 }, () => "d".repeat(30)));
    mkdirSync(project, { recursive: true });
    const key = await keyOf(project);
    const id = randomUUID();
    const line = JSON.stringify(conversation(id, project)("user", prompt("deep")));
    for (const name of [key, key.replace(/-[^-]*$/, "-otherhash")]) {
      const place = join(folder.folderOf(folder.project), "..", name);
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, `${randomUUID()}.jsonl`), `${line}\n`);
    }
    const listed = await host.listSessions({ dir: project });
    expect(listed).toHaveLength(2);
    expect(new Set(listed)).toEqual(new Set(await sdk.listSessions({ dir: project })));
  });
});
