import { SearchHitKind } from "@agentwire/api";
import { expect, test } from "vitest";
import { openBench, ownAgent, type Talk } from "./daemon-bench.ts";

const found = async ({ sessions }: Talk, query: string, sessionId = "") =>
  (await sessions.searchSessions({ query, sessionId })).hits.map(({ kind, excerpt }) => [
    SearchHitKind[kind],
    excerpt.map(({ text, match }) => (match ? `[${text}]` : text)).join(""),
  ]);

test("text is found in place, in all sessions or in one, until it is deleted for good", async () => {
  const bench = openBench();
  const bash = {
    content: [{ type: "tool_use", name: "Bash", input: { command: "echo the needle", description: "Look" } }],
  };
  const talk = await bench.open({
    agents: [
      ownAgent(bench, [bash, { text: `${"Hay. ".repeat(80)}I found the Needle in it.` }, { text: "No." }]),
    ],
  });
  const [first, second] = [await talk.create(), await talk.create()];
  await talk.sessions.setMode({ sessionId: first, permissionMode: "bypassPermissions" });
  await talk.turn(first, "where is the needle?");
  const prompt = ["PROMPT", "where is the [needle]?"];
  expect(await found(talk, "needle")).toEqual([
    ["ANSWER", expect.stringMatching(/^….*I found the \[Needle\] in it\.$/)],
    ["TOOL_RESULT", "the [needle]"],
    ["TOOL_CALL", expect.stringContaining("echo the [needle]")],
    prompt,
  ]);
  expect(await found(talk, "WHERE need")).toEqual([["PROMPT", "[where] is the [needle]?"]]);
  expect(await found(talk, "needle", second)).toEqual([]);
  await expect(found(talk, "...")).rejects.toThrow("give a word to look for");
  await expect(talk.sessions.searchSessions({ query: "needle", pageToken: "x" })).rejects.toThrow(
    "page token",
  );

  const page = await talk.sessions.searchSessions({ query: "needle", pageSize: 3 });
  const rest = await talk.sessions.searchSessions({ query: "needle", pageToken: page.nextPageToken });
  expect([page.hits.length, rest.hits.length, rest.nextPageToken]).toEqual([3, 1, ""]);
  expect(page).toMatchObject({
    incomplete: false,
    hits: [{ sessionId: first, title: "where is the needle?" }, {}, {}],
  });

  await talk.sessions.deleteSession({ sessionId: first });
  expect(await found(talk, "needle")).toEqual([]);
  await talk.sessions.restoreSession({ sessionId: first });
  expect(await found(talk, "where")).toHaveLength(1);
  // Events that another daemon stored but did not index are found as well.
  await talk.running.stop();
  const again = await bench.open({ agents: [ownAgent(bench, [])] });
  const { daemon } = again.running;
  await daemon.store.write([{ type: "prune", sessionId: first, upTo: 1 }]);
  await daemon.indexer.settle();
  expect(await found(again, "where")).toEqual([]);
  expect(await found(again, "hay needle")).toHaveLength(1);
}, 120_000);
