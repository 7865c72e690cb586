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

/** Sends one prompt in a folder with some files; returns what the model got of it. */
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
    ["outside of the project", "read @../secret.txt", "hidden"],
    ["as a folder", "look into @inner", "inner.txt"],
    ["though it is too long", "read @long.txt", "was not read for you"],
  ])("%s comes with it", async (_how, text, shown) => {
    expect((await said(prompt(text))).text).toContain(shown);
  });

  test("by some of its lines comes with those", async () => {
    const { text } = await said(prompt("see @notes.txt#L2-3"));
    expect(text).toContain("three");
    expect(text).not.toContain("one");
  });

  test("comes as a picture, if it is one", async () => {
    const { blocks } = await said(prompt("what is @dot.png"));
    expect(blocks).toContainEqual(expect.objectContaining({ type: "image" }));
  });

  test.each([
    { why: "it is not there", message: prompt("ask @nobody about me@notes.txt"), args: [] },
    {
      why: "it lies outside of the project and a rule denies it",
      message: prompt("read @../secret.txt"),
      args: ["--disallowedTools", "Read(../**)"],
    },
    {
      why: "a rule wants a question",
      message: prompt("read @notes.txt"),
      args: ["--settings", '{"permissions":{"ask":["Read(./notes.txt)"]}}'],
    },
    {
      why: "a rule denies it",
      message: prompt("read @notes.txt"),
      args: ["--disallowedTools", "Read(./notes.txt)"],
    },
    { why: "the model has no Read", message: prompt("read @notes.txt"), args: ["--tools", "Bash"] },
    {
      why: "the host wants its words untouched",
      message: prompt("read @notes.txt", { client_composed: true }),
      args: [],
    },
  ])("stays a word when $why, and nobody is asked", async ({ message, args }) => {
    const { blocks } = await said(message, args);
    expect(blocks).toHaveLength(1);
  });
});
