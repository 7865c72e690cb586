import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Event, RewindScope } from "@agentwire/api";
import { expect, test } from "vitest";
import { type Bench, openBench, ownAgent, type Turn } from "./daemon-bench.ts";

const write = (file_path: string, content: string) => [
  { content: [{ type: "tool_use", name: "Write", input: { file_path, content } }] },
  { text: `${content} is written` },
];
const promptOf = (turn: Turn) => turn.of("promptChange")[0]?.promptId ?? "";
const prompts = (events: readonly Event[]) =>
  events.flatMap(({ body }) => (body.case === "userInput" ? [body.value.text] : []));

interface Entry {
  readonly uuid?: string;
  readonly parentUuid?: string | null;
  readonly message?: { readonly content: unknown };
}

/** The messages in an agent's transcript that lead up to an entry, including it. */
function chainTo(bench: Bench, sessionId: string, text: string): string {
  const projects = join(bench.folder, ".claude", "projects");
  const [project = ""] = readdirSync(projects);
  const entries = readFileSync(join(projects, project, `${sessionId}.jsonl`), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Entry);
  const chain: unknown[] = [];
  let entry = entries.findLast(({ message }) => JSON.stringify(message?.content)?.includes(text));
  while (entry) {
    chain.unshift(entry.message?.content);
    const { parentUuid } = entry;
    entry = parentUuid ? entries.find(({ uuid }) => uuid === parentUuid) : undefined;
  }
  return JSON.stringify(chain);
}

test("a conversation is rewound to a prompt with or without its files, and a fork ends before a prompt", async () => {
  const bench = openBench();
  const file = join(bench.project, "notes.txt");
  const talk = await bench.open({
    agents: [ownAgent(bench, [...write(file, "one"), ...write(file, "two"), { text: "third" }])],
  });
  const sessionId = await talk.create();
  await talk.sessions.setMode({ sessionId, permissionMode: "acceptEdits" });
  const first = promptOf(await talk.turn(sessionId, "say first"));
  const second = promptOf(await talk.turn(sessionId, "say second"));
  await talk.turn(sessionId, "say third");

  const both = { sessionId, promptId: second, scope: RewindScope.BOTH };
  expect(await talk.sessions.rewind({ ...both, dryRun: true })).toMatchObject({
    files: [file],
    prompts: 2,
    text: "say second",
  });
  expect(readFileSync(file, "utf8")).toBe("two");

  const copy = (await talk.sessions.forkSession({ sessionId, beforePromptId: second })).session?.id ?? "";
  expect(prompts((await talk.sessions.listEvents({ sessionId: copy })).events)).toEqual(["say first"]);
  await talk.turn(copy, "in the copy");
  const copied = chainTo(bench, copy, "in the copy");
  expect(copied).toContain("say first");
  expect(copied).not.toContain("say second");

  await talk.sessions.rewind(both);
  expect(readFileSync(file, "utf8")).toBe("one");
  const again = await talk.turn(sessionId, "say another second");
  const chain = chainTo(bench, sessionId, "say another second");
  expect(chain).toContain("one is written");
  expect(chain).not.toContain("say second");
  const { events } = await talk.sessions.listEvents({ sessionId });
  expect(
    events.flatMap(({ body }) => (body.case === "conversationRewind" ? [body.value] : [])),
  ).toMatchObject([{ promptIds: [second, expect.any(String)] }]);

  // A rewound prompt is no longer a target; the one sent in its place is.
  const conversation = { sessionId, scope: RewindScope.CONVERSATION };
  await expect(talk.sessions.rewind({ ...conversation, promptId: second })).rejects.toThrow(
    "not part of the conversation",
  );
  expect(
    await talk.sessions.rewind({ ...conversation, promptId: promptOf(again), dryRun: true }),
  ).toMatchObject({ files: [], prompts: 1, text: "say another second" });
  expect(await talk.sessions.rewind({ ...conversation, promptId: first })).toMatchObject({ prompts: 2 });
  const anew = await talk.turn(sessionId, "begin anew");
  const { agentSessionId = "" } = anew.of("sessionInfo")[0] ?? {};
  expect(agentSessionId).not.toBe(sessionId);
  expect(chainTo(bench, agentSessionId, "begin anew")).not.toContain("first");
  await talk.turn(sessionId, "and go on");
  expect(chainTo(bench, agentSessionId, "and go on")).toContain("begin anew");
  expect(existsSync(file)).toBe(true);
}, 120_000);
