import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { storeKey } from "@agentwire/local/transcript";
import { expect, test } from "vitest";
import { query } from "../../src/query/start-query.ts";
import type { SessionKey, SessionStore, SessionStoreEntry } from "../../src/sdk/sessions.ts";
import { sessionKey, TranscriptMirror } from "../../src/store/transcript-mirror.ts";
import { agentFile, readAll } from "../programs/agent-file.ts";
import { freshFolder } from "../programs/shell-agent.ts";

const ID = "11111111-1111-4111-8111-111111111111";
const entry = (text: string): SessionStoreEntry => ({ type: "user", text });

function fakeStore(append: SessionStore["append"] = async () => {}) {
  const appended: [SessionKey, SessionStoreEntry[]][] = [];
  const store: SessionStore = {
    append: async (key, entries) => {
      await append(key, entries);
      appended.push([key, entries]);
    },
    load: async () => null,
  };
  return { store, appended };
}

const piece = (filePath: string, ...entries: SessionStoreEntry[]) =>
  ({ type: "transcript_mirror", filePath, entries }) as const;

test.each([
  ["/c/projects/p/s.jsonl", { projectKey: "p", sessionId: "s" }],
  [
    "/c/projects/p/s/subagents/agent-1.jsonl",
    { projectKey: "p", sessionId: "s", subpath: "subagents/agent-1" },
  ],
  ["/c/projects/p/s/subagents/a/b.jsonl", { projectKey: "p", sessionId: "s", subpath: "subagents/a/b" }],
  ["/c/projects/p/s.txt", undefined],
  ["/c/projects/s.jsonl", undefined],
  ["/c/elsewhere/p/s.jsonl", undefined],
  ["/c/projects/../x/s.jsonl", undefined],
])("the key of %s is %o", (path, key) => {
  expect(sessionKey("/c/projects", path)).toEqual(key);
});

test("a transcript reaches the store in order, with one call for entries that arrived together", async () => {
  const { store, appended } = fakeStore();
  const mirror = new TranscriptMirror(store, "/c", false, () => {});
  mirror.add(piece("/c/p/s.jsonl", entry("1"), entry("2")));
  mirror.add(piece("/c/p/s.jsonl", entry("3")));
  mirror.add(piece("/elsewhere/p/s.jsonl", entry("not ours")));
  await mirror.flush();
  mirror.add(piece("/c/p/s.jsonl", entry("4")));
  await mirror.flush();
  const key = { projectKey: "p", sessionId: "s" };
  expect(appended).toEqual([
    [key, [entry("1"), entry("2"), entry("3")]],
    [key, [entry("4")]],
  ]);
});

test("a store that fails is retried, then given up with a message to the user", async () => {
  let calls = 0;
  const { store } = fakeStore(async () => {
    calls++;
    throw new Error("full");
  });
  const failures: unknown[] = [];
  const mirror = new TranscriptMirror(store, "/c", false, (failure) => failures.push(failure));
  mirror.add(piece("/c/p/s.jsonl", entry("1")));
  await mirror.flush();
  expect(calls).toBe(3);
  expect(failures).toEqual([{ key: { projectKey: "p", sessionId: "s" }, error: "full" }]);
});

test("a result is yielded only when everything before it is in the store", async () => {
  const events: string[] = [];
  const { store } = fakeStore(async () => {
    events.push("stored");
  });
  const options = agentFile(
    `next; answer; next; init; echo '{"type":"transcript_mirror","filePath":"'"$PWD"'/projects/p/s.jsonl","entries":[{"type":"user"}]}'; result; cat >/dev/null`,
  );
  const env = { ...options.env, CLAUDE_CONFIG_DIR: options.cwd };
  for await (const message of query({ prompt: "go", options: { ...options, env, sessionStore: store } }))
    events.push(message.type);
  expect(events).toEqual(["system", "stored", "result"]);
});

test("a session from a store is written out for the agent, with the user's settings, and removed afterwards", async () => {
  const options = agentFile(
    `cp -r "$CLAUDE_CONFIG_DIR" seen; printf '%s' "$CLAUDE_CONFIG_DIR" > folder; printf '%s' "$argv" > argv; next; answer; next; init; result; cat >/dev/null`,
  );
  const cwd = options.cwd ?? "";
  mkdirSync(join(cwd, ".claude"));
  const settings = { model: "m", enabledPlugins: { p: true }, env: { A: "1", CLAUDE_CONFIG_DIR: "/x" } };
  writeFileSync(join(cwd, ".claude", "settings.json"), JSON.stringify(settings));
  const env = { ...options.env, HOME: cwd };
  const store: SessionStore = {
    append: async () => {},
    load: async ({ subpath }) =>
      subpath ? [entry("sub"), { type: "agent_metadata", agentType: "x" }] : [entry("one"), entry("two")],
    listSubkeys: async () => ["subagents/agent-1", "../../escape"],
    listSessions: async () => [
      { sessionId: "older", mtime: 1 },
      { sessionId: ID, mtime: 2 },
    ],
  };
  const { error } = await readAll(
    query({ prompt: "go", options: { ...options, env, sessionStore: store, continue: true } }),
  );
  expect(error).toBeUndefined();
  const project = join(cwd, "seen", "projects", storeKey(cwd));
  expect(readFileSync(join(project, `${ID}.jsonl`), "utf8")).toBe(
    `${JSON.stringify(entry("one"))}\n${JSON.stringify(entry("two"))}\n`,
  );
  expect(JSON.parse(readFileSync(join(project, ID, "subagents", "agent-1.meta.json"), "utf8"))).toEqual({
    agentType: "x",
  });
  expect(JSON.parse(readFileSync(join(cwd, "seen", "settings.json"), "utf8"))).toEqual({
    model: "m",
    env: { A: "1" },
  });
  const folder = readFileSync(join(cwd, "folder"), "utf8");
  await expect.poll(() => existsSync(folder)).toBe(false);
  const argv = readFileSync(join(cwd, "argv"), "utf8");
  expect(argv).toContain(`--resume=${ID}`);
  expect(argv).not.toContain("--continue");
  expect(argv).toContain("--session-mirror");
});

test("unread messages reach the store at close, even after a result, and a slow store does not delay the agent", async () => {
  const home = freshFolder();
  const file = join(home, ".claude", "projects", "p", `${ID}.jsonl`);
  const mirrored = (text: string) => `echo '${JSON.stringify(piece(file, entry(text)))}'`;
  const options = agentFile(
    `next; answer; next; init; ${mirrored("1")}; result; ${mirrored("2")}; text; touch said; cat >/dev/null; touch left`,
  );
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { store, appended } = fakeStore(() => released);
  const env = { ...options.env, HOME: home };
  const talk = query({ prompt: "go", options: { ...options, env, sessionStore: store } });
  const isThere = (name: string) => existsSync(join(options.cwd ?? "", name));
  await expect.poll(() => isThere("said"), { timeout: 10_000 }).toBe(true);
  await talk.next();
  // Two turns of the event loop: the content of the pipe has been read by then.
  for (const _ of [1, 2]) await new Promise((resolve) => setImmediate(resolve));
  const closed = talk.return();
  await expect.poll(() => isThere("left"), { timeout: 10_000 }).toBe(true);
  release();
  await closed;
  expect(appended.flatMap(([, entries]) => entries)).toEqual([entry("1"), entry("2")]);
});

test("a store that never answers is an error, not a hang", async () => {
  const store: SessionStore = { append: async () => {}, load: () => new Promise(() => {}) };
  const options = { ...agentFile("exit 0"), sessionStore: store, resume: ID, loadTimeoutMs: 50 };
  expect((await readAll(query({ prompt: "go", options }))).error).toMatchObject({ code: "store_timeout" });
});
