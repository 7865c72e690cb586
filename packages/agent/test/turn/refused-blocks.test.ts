import { existsSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { type AgentTalk, openAgent, openProgram } from "../agent-process.ts";
import { newApi } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { is, isResult, prompt } from "../wire.ts";

/** An image that looks valid but is not: only the provider can tell. */
const BROKEN_PNG = Buffer.from("\x89PNG\r\n\x1a\nnothing more", "latin1").toString("base64");
const REAL_GIF = Buffer.from("GIF89a and so on").toString("base64");
const image = (data: string, media_type = "image/png"): JsonObject => ({
  type: "image",
  source: { type: "base64", media_type, data },
});
const pdf = (data: string): JsonObject => ({
  type: "document",
  source: { type: "base64", media_type: "application/pdf", data },
});
const withBlocks = (...content: JsonObject[]): JsonObject => ({
  type: "user",
  message: { role: "user", content: [{ type: "text", text: "look" }, ...content] },
});
const refuses = (message: string) => ({
  type: "error" as const,
  status: 400,
  error: { type: "invalid_request_error", message },
});
const isWarning = is("system", "informational");
const SESSION = "b6b1a7f2-54f4-4c0e-a0b0-2f8b7f7a1c01";

async function said(agent: AgentTalk, message: JsonObject): Promise<JsonObject> {
  const from = agent.lines.length;
  agent.send(message);
  return agent.line(isResult, from);
}

describe("a block that would be rejected", { timeout: 30_000 }, () => {
  test.each([
    ["an image whose data is not base64", image("not base64!")],
    ["an image that is not a PNG, JPEG, GIF or WebP", image(Buffer.from("plain text").toString("base64"))],
    ["a document that is not a PDF", pdf(Buffer.from("plain text").toString("base64"))],
  ])("does not enter the conversation, and host and model are notified: %s", async (fault, block) => {
    const place = await newPlace();
    const api = await newApi({ steps: [{ text: "seen" }] });
    const agent = openAgent(place, { env: api.env });
    expect(await said(agent, withBlocks(block))).toMatchObject({ subtype: "success" });
    expect(agent.lines.find(isWarning)).toMatchObject({
      content: `The prompt was accepted without ${fault}.`,
    });
    const sent = JSON.stringify(api.requests[0]?.body.messages);
    expect(sent).toContain(`[Left out: ${fault}.]`);
    expect(sent).not.toContain('"base64"');
  });

  test("is corrected if it is an image with the wrong type", async () => {
    const place = await newPlace();
    const api = await newApi({ steps: [{ text: "seen" }] });
    const agent = openAgent(place, { env: api.env });
    await said(agent, withBlocks(image(REAL_GIF, "image/png")));
    expect(JSON.stringify(api.requests[0]?.body.messages)).toContain('"media_type":"image/gif"');
    expect(agent.lines.some(isWarning)).toBe(false);
  });
});

describe("a block that the API rejects", { timeout: 30_000 }, () => {
  // A 400 is only accepted as final after the second one.
  const twice = (message: string) => [refuses(message), refuses(message)];

  test.each([
    ["without saying which", "Could not process image", image(BROKEN_PNG)],
    ["by its place", "messages.0.content.1.image.source.base64: invalid image", image(BROKEN_PNG)],
    ["as a document", "The PDF specified was not valid.", pdf(Buffer.from("%PDF-1.4").toString("base64"))],
  ])(
    "%s is omitted after one failure, the turn continues, and a later process omits it too",
    async (_, message, block) => {
      const place = await newPlace();
      const api = await newApi({
        steps: [...twice(message), { text: "one" }, { text: "two" }, { text: "three" }],
      });
      const agent = openAgent(place, { env: api.env, args: ["--session-id", SESSION] });
      expect(await said(agent, withBlocks(block))).toMatchObject({ subtype: "success", result: "one" });
      expect(agent.lines.filter(isWarning)).toMatchObject([{ content: expect.stringContaining(message) }]);
      expect(await said(agent, prompt("and now?"))).toMatchObject({ subtype: "success", result: "two" });
      agent.input.end();
      await agent.ended();
      const next = openAgent(place, { env: api.env, args: ["--resume", SESSION] });
      expect(await said(next, prompt("still there?"))).toMatchObject({ subtype: "success", result: "three" });
      expect(next.lines.some(isWarning)).toBe(false);
      const last = JSON.stringify(api.requests.at(-1)?.body.messages);
      expect(last).toContain("[Left out: the API refused what was here");
      expect(last).not.toContain('"base64"');
    },
  );

  test("is also omitted from a database's conversation by later processes", async () => {
    const place = await newPlace();
    const api = await newApi({
      steps: [...twice("Could not process image"), { text: "one" }, { text: "two" }],
    });
    const args = ["--stdio", "--db", join(place.cwd, "x.db")];
    const agent = openProgram(place, { env: api.env, args });
    await said(agent, withBlocks(image(BROKEN_PNG)));
    agent.input.end();
    await agent.ended();
    expect(existsSync(join(place.cwd, "x.db"))).toBe(true);
    const next = openProgram(place, { env: api.env, args });
    expect(await said(next, prompt("still there?"))).toMatchObject({ result: "two" });
    expect(api.requests).toHaveLength(4);
  });

  test("is still a failure if it is the user's text", async () => {
    const place = await newPlace();
    const api = await newApi({ steps: twice("messages.0.content.0.text: not allowed") });
    const agent = openAgent(place, { env: api.env });
    expect(await said(agent, prompt("hello"))).toMatchObject({ is_error: true });
    expect(api.requests).toHaveLength(2);
  });
});

test("a prompt that is too long for the model fails its turn and is omitted from the next one, even in a later process", async () => {
  const place = await newPlace();
  const tooLong = refuses("prompt is too long: 812345 tokens > 200000 maximum");
  const api = await newApi({ steps: [tooLong, { text: "two" }, { text: "three" }] });
  const agent = openAgent(place, { env: api.env, args: ["--session-id", SESSION] });
  expect(await said(agent, prompt("word ".repeat(100_000)))).toMatchObject({
    is_error: true,
    terminal_reason: "prompt_too_long",
    result: "Prompt is too long",
  });
  expect(agent.lines.filter(isWarning)).toHaveLength(1);
  expect(await said(agent, prompt("hello"))).toMatchObject({ subtype: "success", result: "two" });
  agent.input.end();
  await agent.ended();
  const next = openAgent(place, { env: api.env, args: ["--resume", SESSION] });
  expect(await said(next, prompt("still there?"))).toMatchObject({ subtype: "success", result: "three" });
  for (const { body } of api.requests.slice(1)) {
    expect(JSON.stringify(body.messages)).toContain("too long for the model");
    expect(JSON.stringify(body.messages).length).toBeLessThan(100_000);
  }
}, 30_000);
