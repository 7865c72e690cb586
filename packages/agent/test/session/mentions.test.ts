import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { ASKED, newApi } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { asks, isResult, prompt } from "../wire.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Sends one prompt in a folder with some files; returns what the model received. */
async function said(message: JsonObject, args: readonly string[] = []) {
  const place = await newPlace();
  await writeFile(join(place.cwd, "notes.txt"), "one\ntwo\nthree\n");
  await writeFile(join(place.cwd, "my plan.md"), "the plan\n");
  await writeFile(join(place.cwd, "dot.png"), Buffer.from(PIXEL, "base64"));
  await writeFile(join(place.cwd, "..", "secret.txt"), "hidden\n");
  await mkdir(join(place.cwd, "inner"));
  await writeFile(join(place.cwd, "inner/inner.txt"), "");
  await writeFile(join(place.cwd, "long.txt"), "x\n".repeat(300_000));
  const api = await newApi({ steps: [], whenExhausted: { text: "heard" } });
  const agent = openAgent(place, { env: api.env, args: [...ASKED, ...args] });
  agent.send(message);
  await agent.line(isResult);
  expect(agent.lines.filter(asks("can_use_tool"))).toEqual([]);
  const [first] = (await api.request(0)).body.messages as [{ content: JsonObject[] }];
  return { blocks: first.content, text: JSON.stringify(first.content) };
}

describe("a file that a prompt mentions", { timeout: 30_000 }, () => {
  test.each([
    ["by its name", "look at @notes.txt", "2\\ttwo"],
    ["at the end of a sentence", "Look at this (@notes.txt).", "2\\ttwo"],
    ["with spaces in its name", 'follow @"my plan.md" please', "the plan"],
    ["outside the project", "read @../secret.txt", "hidden"],
    ["as a folder", "look into @inner", "inner.txt"],
    ["even if it is too long", "read @long.txt", "was not read for you"],
  ])("is included if mentioned %s", async (_how, text, shown) => {
    expect((await said(prompt(text))).text).toContain(shown);
  });

  test("is included in part if lines are given", async () => {
    const { text } = await said(prompt("see @notes.txt#L2-3"));
    expect(text).toContain("three");
    expect(text).not.toContain("one");
  });

  test("is included as an image if it is one", async () => {
    const { blocks } = await said(prompt("what is @dot.png"));
    expect(blocks).toContainEqual(expect.objectContaining({ type: "image" }));
  });

  test.each([
    { why: "it does not exist", message: prompt("ask @nobody about me@notes.txt"), args: [] },
    {
      why: "it is outside the project and a rule denies it",
      message: prompt("read @../secret.txt"),
      args: ["--disallowedTools", "Read(../**)"],
    },
    {
      why: "an ask rule matches it",
      message: prompt("read @notes.txt"),
      args: ["--settings", '{"permissions":{"ask":["Read(./notes.txt)"]}}'],
    },
    {
      why: "a rule denies it",
      message: prompt("read @notes.txt"),
      args: ["--disallowedTools", "Read(./notes.txt)"],
    },
    {
      why: "the model does not have the Read tool",
      message: prompt("read @notes.txt"),
      args: ["--tools", "Bash"],
    },
    {
      why: "the host wants its text unchanged",
      message: prompt("read @notes.txt", { client_composed: true }),
      args: [],
    },
  ])("is not included if $why, and no question is asked", async ({ message, args }) => {
    const { blocks } = await said(message, args);
    expect(blocks).toHaveLength(1);
  });
});
