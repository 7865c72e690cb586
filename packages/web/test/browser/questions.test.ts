import { RuleScope, RuleService } from "@agentwire/api";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, Stage, say } from "./stage.ts";
import { use } from "./tool-use.ts";

const ask = (id: string, command: string) => ({
  say: {
    type: "control_request",
    request_id: id,
    request: { subtype: "can_use_tool", tool_name: "Bash", input: { command }, tool_use_id: `toolu_${id}` },
  },
});
const answered = { hear: { type: "control_response" } };

const FORM = {
  type: "object",
  properties: {
    name: { type: "string", title: "Name", minLength: 2 },
    port: { type: "integer", title: "Port", default: 80, maximum: 65535 },
    kind: {
      type: "string",
      title: "Kind",
      oneOf: [
        { const: "a", title: "Alpha" },
        { const: "b", title: "Beta" },
      ],
    },
    more: { type: "array", title: "More", items: { enum: ["one", "two", "three"] } },
    sure: { type: "boolean", title: "Sure" },
  },
  required: ["name", "port", "sure"],
};
const FILLED = { name: "Ada", port: 8080, kind: "b", more: ["one", "three"], sure: true };
const elicit = (id: string, more: object) => ({
  say: {
    type: "control_request",
    request_id: id,
    request: { subtype: "elicitation", mcp_server_name: "deployer", message: `Tell me: ${id}`, ...more },
  },
});

const stage = new Stage();
beforeAll(
  () =>
    stage.open({
      toucher: {
        steps: [
          { content: [use("toolu_touch", "Bash", { command: "touch made.txt" })] },
          { text: "It is made." },
        ],
      },
      chatterer: {
        steps: [
          { content: [use("toolu_touch", "Bash", { command: "touch made.txt" })] },
          { text: "I should not get this far." },
        ],
      },
      // Elicitations of an MCP server.
      asker: [
        { hear: { type: "user" } },
        elicit("form", { requested_schema: FORM }),
        { hear: { type: "control_response", response: { response: { action: "accept", content: FILLED } } } },
        elicit("page", { mode: "url", url: "https://example.com/sign-in", elicitation_id: "e1" }),
        { hear: { type: "control_response", response: { response: { action: "accept" } } } },
        elicit("again", { requested_schema: FORM }),
        { hear: { type: "control_response", response: { response: { action: "decline" } } } },
        { say: { type: "result", subtype: "success", is_error: false, result: "all heard" } },
      ],
      // An agent asks several questions at once when several subagents run.
      several: [
        { hear: { type: "user" } },
        ask("one", "first"),
        ask("two", "second"),
        ask("three", "third"),
        answered,
        answered,
        answered,
        { say: { type: "result", subtype: "success", is_error: false, result: "all answered" } },
      ],
    }),
  240_000,
);
afterAll(() => stage.close(), 60_000);

test("a question has no deadline while it is watched; otherwise the start page says when it will be denied", async () => {
  const { session } = await stage.client.sessions.createSession({
    agent: "toucher",
    cwd: stage.project,
    prompt: "make it",
  });
  const id = session?.id ?? "";
  const page = await stage.view();
  const waiting = page.getByRole("list", { name: "Open questions" });
  await waiting.getByText("denied in 6 days unless answered").waitFor();
  await stage.show(page, id);
  const card = page.getByRole("region", { name: "Allow Bash?" });
  await card.waitFor();
  await eventually(() => card.textContent()).not.toContain("denied");
  const { questions } = await stage.client.questions.listQuestions({ sessionId: id });
  expect(questions.map(({ expiresAt }) => expiresAt)).toEqual([undefined]);
  await page.goto(`${stage.url}/#/`);
  await waiting.getByText("denied in 6 days unless answered").waitFor();
  await stage.client.sessions.deleteSession({ sessionId: id });
  await stage.leave(page);
}, 240_000);

const cardOf = (page: Page, command: string) =>
  page.getByRole("region", { name: "Allow Bash?" }).filter({ hasText: command });

/** Presses a key repeatedly until it takes effect; keys are ignored right after a question appears. */
async function press(page: Page, key: string, isDone: () => Promise<boolean>): Promise<void> {
  await eventually(async () => {
    if (!(await isDone())) await page.keyboard.press(key);
    return isDone();
  }, 1500).toBe(true);
}

test("several questions are answered one by one, and a key applies to the focused one", async () => {
  const { page, id } = await stage.tab("several");
  await say(page, "ask me");
  await Promise.all(["first", "second", "third"].map((command) => cardOf(page, command).waitFor()));
  await page.locator('.session-row[aria-current="page"]', { hasText: "asking 3 questions" }).waitFor();
  await cardOf(page, "second").getByRole("button", { name: "Deny because…" }).focus();
  await press(page, "y", async () => (await cardOf(page, "second").count()) === 0);
  expect(await cardOf(page, "first").count()).toBe(1);
  await cardOf(page, "third").getByRole("button", { name: "Deny", exact: false }).first().click();
  await cardOf(page, "third").waitFor({ state: "detached" });
  await page.getByRole("region", { name: "History" }).focus();
  await press(page, "n", async () => (await cardOf(page, "first").count()) === 0);
  const { questions } = await stage.client.questions.listQuestions({ sessionId: id, includeDecided: true });
  const outcomes = questions.map(({ inputJson, disposition }) => [
    JSON.parse(inputJson).command,
    disposition,
  ]);
  expect(outcomes).toEqual([
    ["first", 3],
    ["second", 2],
    ["third", 3],
  ]);
  await stage.leave(page);
}, 240_000);

test("a rule can be edited and saved for all projects, and then decides further calls", async () => {
  const { page } = await stage.tab("toucher");
  await say(page, "make it");
  await page.getByRole("button", { name: "Always…" }).click();
  const rule = page.getByRole("textbox", { name: "Always allow" });
  expect(await rule.inputValue()).toMatch(/^Bash\(touch/);
  await rule.fill("Bash(touch:*)");
  await page.getByRole("combobox", { name: "Scope" }).selectOption("user");
  await page.getByRole("button", { name: "Allow and save" }).click();
  await page.locator(".said", { hasText: "It is made." }).waitFor();
  const { rules } = await stage.connect(RuleService).listRules({});
  expect(rules.map(({ rule: text, scope }) => [text, scope])).toEqual([["Bash(touch:*)", RuleScope.USER]]);
  await stage.leave(page);
  const again = await stage.tab("toucher");
  await say(again.page, "make it");
  await again.page.locator(".said", { hasText: "It is made." }).waitFor();
  await stage.connect(RuleService).removeRule({ id: rules[0]?.id ?? "" });
  await stage.leave(again.page);
}, 240_000);

test("d asks for a reason, Escape cancels that, and x denies and ends the turn", async () => {
  const { page } = await stage.tab("chatterer");
  await say(page, "make it");
  await cardOf(page, "touch").waitFor();
  await page.getByRole("textbox", { name: "Prompt" }).press("Shift+Tab");
  const reason = page.getByRole("textbox", { name: "Tell the agent why" });
  await press(page, "d", async () => (await reason.count()) === 1);
  await press(page, "Escape", async () => (await reason.count()) === 0);
  await press(page, "x", async () => (await cardOf(page, "touch").count()) === 0);
  await page.locator('[data-status="idle"]').waitFor();
  expect(await page.locator(".said").count()).toBe(0);
  await stage.leave(page);
}, 240_000);

test("edited input is checked before it is sent", async () => {
  const { page } = await stage.tab("several");
  await say(page, "ask me");
  const card = cardOf(page, "first");
  await card.getByRole("button", { name: "Edit…" }).click();
  const input = card.getByRole("textbox", { name: "Input to run instead" });
  expect(await input.inputValue()).toBe("first");
  await input.fill("");
  await eventually(() => card.getByRole("button", { name: "Allow this" }).isDisabled()).toBe(true);
  await input.fill("something else");
  await input.press("Control+Enter");
  await card.waitFor({ state: "detached" });
  await stage.leave(page);
}, 240_000);

test("a form from an MCP server can be filled in, with errors shown; a page can be opened; and a form can be declined", async () => {
  const { page, id } = await stage.tab("asker");
  await stage.client.sessions.sendPrompt({ sessionId: id, text: "ask me" });
  const form = page.getByRole("form", { name: "deployer asks" });
  await form.getByText("Tell me: form").waitFor();
  const answer = form.getByRole("button", { name: "Answer" });
  expect(await answer.isDisabled()).toBe(true);
  expect(await form.getByLabel("Port", { exact: true }).inputValue()).toBe("80");
  await form.getByLabel("Name", { exact: true }).fill("A");
  await form.getByLabel("Port", { exact: true }).fill("8080");
  await form.getByRole("radio", { name: "Beta" }).check();
  await form.getByRole("checkbox", { name: "three" }).check();
  await form.getByRole("checkbox", { name: "one" }).check();
  expect(await answer.isDisabled()).toBe(true);
  await form.getByRole("radio", { name: "Yes" }).check();
  await answer.click();
  await page.getByText("Name: enter at least 2 characters").waitFor();
  await form.getByLabel("Name", { exact: true }).fill("Ada");
  await answer.click();

  const link = form.getByRole("link", { name: "https://example.com/sign-in" });
  expect(await link.getAttribute("rel")).toContain("noopener");
  await form.getByRole("radio", { name: "I have opened it" }).check();
  await answer.click();

  await form.getByText("Tell me: again").waitFor();
  await form.getByRole("button", { name: "Decline" }).click();
  await form.waitFor({ state: "detached" });
  await page.getByText("Ada; 8080; Beta; one, three; Yes").first().waitFor();
  await stage.leave(page);
}, 240_000);
