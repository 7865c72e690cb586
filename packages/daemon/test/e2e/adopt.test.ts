import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Event, RewindScope } from "@agentwire/api";
import { expect, test } from "vitest";
import { openBench, ownAgent } from "./daemon-bench.ts";

const said = (events: readonly Event[]) =>
  events.flatMap(({ body }) => (body.case === "userInput" || body.case === "text" ? [body.value.text] : []));

test("a conversation left by another program is listed, read, searched, continued and adopted again", async () => {
  const bench = openBench();
  const bash = {
    content: [{ type: "tool_use", name: "Bash", input: { command: "echo otters", description: "Look" } }],
  };
  const agents = [ownAgent(bench, [bash, { text: "I saw them." }, { text: "Again." }])];
  const before = await bench.open({ agents });
  const left = await before.create();
  await before.sessions.setMode({ sessionId: left, permissionMode: "bypassPermissions" });
  await before.turn(left, "look for otters");
  await before.turn(left, "and again");
  expect((await before.sessions.listLocalSessions({})).sessions).toEqual([]);
  await before.running.stop();
  rmSync(join(bench.folder, "state"), { recursive: true });

  const { sessions, turn } = await bench.open({ agents: [ownAgent(bench, [{ text: "I go on." }])] });
  expect((await sessions.listLocalSessions({ search: "no such words" })).sessions).toEqual([]);
  expect((await sessions.listLocalSessions({ search: "OTTERS" })).sessions).toMatchObject([
    { agentSessionId: left, cwd: bench.project },
  ]);
  // All words in one message, regardless of the title.
  const [found] = (await sessions.listLocalSessions({ search: "saw I" })).sessions;
  expect(found?.excerpt).toMatchObject([
    { text: "I", match: true },
    { text: " ", match: false },
    { text: "saw", match: true },
    { text: " them." },
  ]);
  expect((await sessions.listLocalSessions({ search: "saw otters" })).sessions).toEqual([]);
  const adopting = [1, 2].map(() => sessions.adoptSession({ agentSessionId: left }));
  const [one, other] = await Promise.all(adopting);
  const sessionId = one?.session?.id ?? "";
  expect(other?.session?.id).toBe(sessionId);
  expect((await sessions.listLocalSessions({})).sessions).toEqual([]);
  const { events } = await sessions.listEvents({ sessionId });
  expect(said(events)).toEqual(["look for otters", "I saw them.", "and again", "Again."]);
  expect(events.flatMap(({ body }) => (body.case === "toolCallResult" ? [body.value.text] : []))).toEqual([
    "otters",
  ]);
  expect(events.every(({ time }) => Number(time?.seconds) > 1_700_000_000)).toBe(true);
  expect((await sessions.searchSessions({ query: "otters" })).hits).toHaveLength(3);

  const prompts = events.flatMap(({ body }) => (body.case === "userInput" ? [body.value.promptId] : []));
  const scope = RewindScope.CONVERSATION;
  expect(await sessions.rewind({ sessionId, promptId: prompts[1] ?? "", scope, dryRun: true })).toMatchObject(
    {
      prompts: 1,
      text: "and again",
    },
  );
  const next = await turn(sessionId, "go on");
  expect(next.of("sessionInfo")[0]?.agentSessionId).toBe(left);
  expect(next.of("text").map(({ text }) => text)).toEqual(["I go on."]);
  await sessions.deleteSession({ sessionId });
  expect((await sessions.adoptSession({ agentSessionId: left })).session?.id).toBe(sessionId);
  await expect(sessions.adoptSession({ agentSessionId: "../../etc" })).rejects.toThrow(
    "Claude Code has no session",
  );
}, 120_000);
