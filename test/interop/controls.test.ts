import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { openBench } from "./bench.ts";
import { openLive } from "./live.ts";
import { kinds, ofType } from "./messages.ts";
import { say, use } from "./script.ts";

vi.setConfig({ testTimeout: 30_000 });

describe("interrupt", () => {
  test("ends a turn while it streams, and the next prompt is answered", async () => {
    const bench = await openBench({
      steps: [{ text: "a long tale that never ends", stallAfterChunks: 1 }, say("back again")],
    });
    const live = openLive(bench, { includePartialMessages: true });
    live.send("tell");
    while ((await live.until("stream_event")).event.type !== "content_block_delta");
    await live.query.interrupt();
    expect(await live.until("result")).toMatchObject({ subtype: "error_during_execution", is_error: true });
    expect(await bench.api.requests[0]?.end).toBe("broken");
    live.send("again");
    expect(await live.until("result")).toMatchObject({ subtype: "success", result: "back again" });
    expect((await live.end()).error).toBeUndefined();
  });

  test("ends a turn while a command runs, and the command with it", async () => {
    const bench = await openBench({
      steps: [
        use("Bash", { command: "touch started; tail -f /dev/null", description: "Wait" }),
        say("never said"),
      ],
    });
    const live = openLive(bench, { allowedTools: ["Bash"] });
    live.send("wait");
    await live.until("assistant");
    await bench.appears("started");
    await live.query.interrupt();
    expect(await live.until("result")).toMatchObject({ is_error: true, terminal_reason: "aborted_tools" });
    expect(bench.api.requests).toHaveLength(1);
    await live.end();
  });

  test("of an idle session has no effect", async () => {
    const bench = await openBench({ steps: [say("one"), say("two")] });
    const live = openLive(bench);
    live.send("1");
    await live.until("result");
    await live.query.interrupt();
    live.send("2");
    expect(await live.until("result")).toMatchObject({ result: "two" });
    expect((await live.end()).error).toBeUndefined();
  });
});

test("backgroundTasks lets the turn continue while a command runs", async () => {
  const command = "touch waiting; while [ ! -e go ]; do sleep 0.02; done";
  const bench = await openBench({
    steps: [use("Bash", { command, description: "Wait" }), say("I go on"), say("it is done")],
  });
  const live = openLive(bench, { allowedTools: ["Bash"] });
  live.send("wait");
  await bench.appears("waiting");
  expect(await live.query.backgroundTasks("toolu_other")).toBe(false);
  expect(await live.query.backgroundTasks("toolu_Bash")).toBe(true);
  expect(await live.until("result")).toMatchObject({ result: "I go on" });
  writeFileSync(bench.path("go"), "");
  expect(await live.until("result")).toMatchObject({ result: "it is done" });
  await live.end();
});

describe("during a session, the host", () => {
  test("changes the model between turns", async () => {
    const bench = await openBench({ steps: [say("one"), say("two")] });
    const live = openLive(bench, { model: "claude-sonnet-4-5" });
    live.send("1");
    await live.until("result");
    await live.query.setModel("claude-haiku-4-5");
    live.send("2");
    await live.until("result");
    const talk = await live.end();
    const models = ofType(talk, "system").flatMap((m) => (m.subtype === "init" ? [m.model] : []));
    expect(models).toEqual(["claude-sonnet-4-5", "claude-haiku-4-5"]);
    const turns = bench.api.requests.filter(({ body }) => body.max_tokens !== 1);
    expect(turns.map(({ body }) => body.model)).toEqual(["claude-sonnet-4-5", "claude-haiku-4-5"]);
  });

  test("changes the model with flag settings, and changes it back", async () => {
    const bench = await openBench({ steps: [say("one"), say("two"), say("three")] });
    const live = openLive(bench, { model: "claude-sonnet-4-5" });
    live.send("1");
    await live.until("result");
    await live.query.applyFlagSettings({ model: "claude-haiku-4-5" });
    live.send("2");
    await live.until("result");
    await live.query.applyFlagSettings({ model: null });
    live.send("3");
    await live.until("result");
    await live.end();
    expect(bench.api.requests.map(({ body }) => body.model)).toEqual([
      "claude-sonnet-4-5",
      "claude-haiku-4-5",
      "claude-sonnet-4-5",
    ]);
  });

  test("can't change to a model that does not exist", async () => {
    const bench = await openBench({
      steps: [say("one"), say("two")],
      probe: { type: "error", status: 404, error: { type: "not_found_error", message: "model: nope" } },
    });
    const live = openLive(bench, { model: "claude-sonnet-4-5" });
    live.send("1");
    await live.until("result");
    await expect(live.query.setModel("nope")).rejects.toThrow(/nope/);
    live.send("2");
    await live.until("result");
    await live.end();
    expect(bench.api.requests.at(-1)?.body.model).toBe("claude-sonnet-4-5");
  });

  test("changes the permission mode", async () => {
    const bench = await openBench({
      steps: [say("one"), use("Write", { file_path: "{{cwd}}/new.txt", content: "x" }), say("two")],
    });
    const live = openLive(bench);
    live.send("1");
    await live.until("result");
    await live.query.setPermissionMode("acceptEdits");
    live.send("2");
    await live.until("result");
    const talk = await live.end();
    expect(existsSync(bench.path("new.txt"))).toBe(true);
    expect(talk.messages).toContainEqual(
      expect.objectContaining({ subtype: "status", permissionMode: "acceptEdits" }),
    );
  });

  test("can't change to a mode that was not unlocked at the start", async () => {
    const bench = await openBench({ steps: [say("one")] });
    const live = openLive(bench);
    live.send("1");
    await live.until("result");
    await expect(live.query.setPermissionMode("bypassPermissions")).rejects.toThrow();
    await live.end();
  });

  test("changes the thinking limit", async () => {
    const bench = await openBench({ steps: [say("one"), say("two")] });
    const live = openLive(bench, { model: "claude-sonnet-4-5" });
    live.send("1");
    await live.until("result");
    await live.query.setMaxThinkingTokens(2048);
    live.send("2");
    await live.until("result");
    await live.end();
    expect(bench.api.requests.at(-1)?.body.thinking).toMatchObject({ type: "enabled", budget_tokens: 2048 });
  });
});

describe("rewindFiles", () => {
  test("previews what it would restore, then restores it", async () => {
    const bench = await openBench(
      {
        steps: [
          use("Read", { file_path: "{{cwd}}/old.txt" }),
          use("Write", { file_path: "{{cwd}}/old.txt", content: "after\n" }, "toolu_1"),
          use("Write", { file_path: "{{cwd}}/new.txt", content: "new\n" }, "toolu_2"),
          say("done"),
        ],
      },
      { "old.txt": "before\n" },
    );
    const live = openLive(bench, { enableFileCheckpointing: true, permissionMode: "acceptEdits" });
    const uuid = randomUUID();
    live.send("change", { uuid });
    await live.until("result");
    const paths = [bench.path("new.txt"), bench.path("old.txt")];

    const preview = await live.query.rewindFiles(uuid, { dryRun: true });
    expect(preview).toMatchObject({ canRewind: true, insertions: expect.any(Number) });
    expect([...(preview.filesChanged ?? [])].sort()).toEqual(paths);
    expect(readFileSync(bench.path("old.txt"), "utf8")).toBe("after\n");

    expect(await live.query.rewindFiles(uuid)).toMatchObject({ canRewind: true });
    expect(readFileSync(bench.path("old.txt"), "utf8")).toBe("before\n");
    expect(existsSync(bench.path("new.txt"))).toBe(false);
    await live.end();
  });

  test("is refused without checkpoints", async () => {
    const bench = await openBench({ steps: [say("done")] });
    const live = openLive(bench);
    const uuid = randomUUID();
    live.send("change", { uuid });
    await live.until("result");
    expect(await live.query.rewindFiles(uuid, { dryRun: true })).toMatchObject({ canRewind: false });
    await expect(live.query.rewindFiles(uuid)).rejects.toThrow();
    await live.end();
  });
});

describe("the host can query", () => {
  test("commands, models, agents, account and servers before the first prompt", async () => {
    const bench = await openBench(
      { steps: [say("hello")] },
      { ".claude/commands/greet.md": "---\ndescription: Says hello\n---\nSay hello to $ARGUMENTS" },
    );
    const live = openLive(bench);
    const [commands, models, agents, account, servers] = await Promise.all([
      live.query.supportedCommands(),
      live.query.supportedModels(),
      live.query.supportedAgents(),
      live.query.accountInfo(),
      live.query.mcpServerStatus(),
    ]);
    expect(commands).toContainEqual(
      expect.objectContaining({ name: "compact", argumentHint: expect.any(String) }),
    );
    expect(commands).toContainEqual(
      expect.objectContaining({ name: "greet", description: "Says hello (project)" }),
    );
    expect(models).toContainEqual(
      expect.objectContaining({
        value: "default",
        displayName: expect.any(String),
        description: expect.any(String),
      }),
    );
    expect(agents).toContainEqual(expect.objectContaining({ name: "general-purpose" }));
    expect(account).toMatchObject({ apiKeySource: "ANTHROPIC_API_KEY" });
    expect(servers).toEqual([]);
    live.send("hi");
    expect(await live.until("result")).toMatchObject({ result: "hello" });
    expect(kinds(await live.end())).toEqual(["system/init", "assistant", "result/success"]);
  });

  test("how many lines were added and removed", async () => {
    const bench = await openBench(
      {
        steps: [
          use("Read", { file_path: "{{cwd}}/old.txt" }),
          use("Edit", { file_path: "{{cwd}}/old.txt", old_string: "b\nc\n", new_string: "x\n" }),
          use("Write", { file_path: "{{cwd}}/new.txt", content: "1\n2\n3\n" }),
          say("done"),
        ],
      },
      { "old.txt": "a\nb\nc\n" },
    );
    const live = openLive(bench, { permissionMode: "acceptEdits" });
    live.send("change");
    await live.until("result");
    const { session } = await live.query.usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET();
    expect(session).toMatchObject({ total_lines_added: 4, total_lines_removed: 2 });
    await live.end();
  });

  test("the skills after they have been written, and only skills", async () => {
    const bench = await openBench({ steps: [] });
    const live = openLive(bench, { settingSources: ["project"] });
    expect((await live.query.reloadSkills()).skills).toEqual([]);
    mkdirSync(bench.path(".claude/skills/knots"), { recursive: true });
    writeFileSync(bench.path(".claude/skills/knots/SKILL.md"), "---\ndescription: Ties knots\n---\nTie.");
    expect((await live.query.reloadSkills()).skills).toMatchObject([
      { name: "knots", description: "Ties knots (project)" },
    ]);
    await live.end();
  });

  test("how full the context is", async () => {
    const bench = await openBench({ steps: [say("hello")] });
    const live = openLive(bench);
    live.send("hi");
    await live.until("result");
    const usage = await live.query.getContextUsage();
    expect(usage.totalTokens).toBeGreaterThan(0);
    expect(usage.maxTokens).toBeGreaterThan(usage.totalTokens);
    expect(usage.categories).not.toEqual([]);
    await live.end();
  });
});
