import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { flawsOf } from "./accessible.ts";
import { eventually, Stage, say } from "./stage.ts";

const stage = new Stage();
const asked: string[] = [];

/** A provider with two models, whose replies name the requested model. */
const provider = createServer(async (request, response) => {
  if (request.method === "GET") return response.end(JSON.stringify({ data: MODELS }));
  const { model } = JSON.parse(await text(request)) as { model: string };
  asked.push(model);
  response.writeHead(200, { "content-type": "text/event-stream" });
  const chunk = { choices: [{ delta: { content: `Said by ${model}.` }, finish_reason: "stop" }] };
  return response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
});

const MODELS = [
  {
    id: "coder",
    context_length: 131_072,
    architecture: { input_modalities: ["text"] },
    pricing: { prompt: "0.0000004", completion: "0.0000016" },
    supported_parameters: ["tools", "reasoning"],
  },
  { id: "talker", supported_parameters: ["temperature"] },
];

beforeAll(async () => {
  provider.listen(0, "127.0.0.1");
  await once(provider, "listening");
  const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
  mkdirSync(join(stage.folder, ".claude"));
  const providers = { shop: { baseUrl }, closed: { baseUrl: "http://127.0.0.1:9/v1" } };
  writeFileSync(join(stage.folder, ".claude", "settings.json"), JSON.stringify({ providers }));
  await stage.open({});
}, 240_000);
afterAll(async () => {
  await stage.close();
  provider.close().closeAllConnections();
}, 60_000);

test("a model can be chosen for a new session and changed later, from a list with abilities and prices", async () => {
  const page = await stage.page();
  await page.getByRole("link", { name: "New session" }).first().click();
  await page.getByRole("textbox", { name: "What should the agent do?" }).fill("hello");
  await page.getByRole("combobox", { name: "Folder" }).fill(stage.project);
  const field = page.getByRole("combobox", { name: "Model" });
  await field.click();
  const coder = page.getByRole("option", { name: "shop/coder" });
  await coder.getByText("131k context · $0.4 in, $1.6 out per million tokens · tools, thinking").waitFor();
  await page.getByRole("option", { name: "shop/talker" }).getByText("can't call tools").waitFor();
  await page.getByText(/could not reach closed at/).waitFor();
  expect(await flawsOf(page, { within: ".model-picker" })).toEqual([]);
  await field.fill("cod");
  await page.getByRole("option", { name: "shop/talker" }).waitFor({ state: "detached" });
  await field.press("ArrowDown");
  await field.press("Enter");
  expect(await field.inputValue()).toBe("shop/coder");
  await page.getByRole("button", { name: "Start" }).click();
  await page.locator(".said", { hasText: "Said by coder." }).waitFor();

  await page.getByLabel("Session actions").click();
  await page.getByRole("combobox", { name: "Model" }).click();
  await page.getByRole("option", { name: "shop/talker" }).click();
  await eventually(() => page.getByRole("combobox", { name: "Model" }).inputValue()).toBe("shop/talker");
  await page.keyboard.press("Escape");
  await say(page, "and now?");
  await page.locator(".said", { hasText: "Said by talker." }).waitFor();
  await page.locator(".head-facts", { hasText: "shop/talker" }).waitFor();
  expect(asked).toEqual(expect.arrayContaining(["coder", "talker"]));
  await page.context().close();
}, 240_000);
