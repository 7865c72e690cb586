import { SessionStatus, UsageService } from "@agentwire/api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, Stage, say } from "./stage.ts";

const usage = { input_tokens: 100_000, output_tokens: 10_000 };

const stage = new Stage();
beforeAll(
  () =>
    stage.open(
      {
        costly: { steps: [], whenExhausted: { text: "That was expensive.", usage } },
        unpriced: { steps: [], whenExhausted: { text: "Who knows.", usage, model: "home-made-1" } },
      },
      { budgets: { session_usd: 0.5 } },
    ),
  240_000,
);
afterAll(() => stage.close(), 60_000);

const budgetOf = async (sessionId: string) =>
  (await stage.connect(UsageService).getBudget({ sessionId })).budget;

test("a session that has spent its budget says so, and continues once its limit is raised there", async () => {
  const { page, id } = await stage.tab("costly");
  await say(page, "go");
  await page.locator(".turn-end").waitFor();
  const strip = page.getByRole("region", { name: "Budget: This session" });
  await strip.getByText("no new turn starts").waitFor();
  expect(await strip.textContent()).toMatch(/\$0\.\d\d of \$0\.50 spent/);
  expect(await page.locator(".notice-row.error").textContent()).toContain(
    "The budget of this session is spent",
  );
  await say(page, "and again");
  await page.locator(".toast.error", { hasText: "budget" }).waitFor();
  await strip.getByRole("button", { name: "Change the limit" }).click();
  await strip.getByRole("spinbutton", { name: "Limit in dollars" }).fill("3");
  await page.keyboard.press("Enter");
  await strip.waitFor({ state: "detached" });
  expect((await budgetOf(id))?.limitUsd).toBe(3);
  await page.getByRole("textbox", { name: "Prompt" }).press("Enter");
  await eventually(() => page.locator(".turn-end").count()).toBe(2);
  await stage.leave(page);
}, 240_000);

test("costs are shown as counted by the daemon, and an unknown cost is not shown as zero", async () => {
  const { sessions } = stage.client;
  const begin = (agent: string, model: string) =>
    sessions.createSession({ agent, model, title: `a ${agent} one`, cwd: stage.project, prompt: "go" });
  const [costly, unpriced] = await Promise.all([begin("costly", ""), begin("unpriced", "home-made-1")]);
  const ids = [costly, unpriced].map(({ session }) => session?.id ?? "");
  await eventually(async () => {
    const all = await Promise.all(ids.map((sessionId) => sessions.getSession({ sessionId })));
    return all.every(
      ({ session }) => session?.status === SessionStatus.IDLE && Number(session.usage?.outputTokens) > 0,
    );
  }).toBe(true);
  const { session } = await sessions.getSession({ sessionId: ids[0] ?? "" });
  const price = `$${session?.usage?.costUsd?.toFixed(2)}`;

  const page = await stage.view();
  const row = (id: string | undefined) => page.locator(`.session-row[href$="${id}"]`);
  await row(ids[0]).getByText(price, { exact: true }).waitFor();
  await row(ids[0])
    .getByText(session?.lastModel ?? "?", { exact: true })
    .waitFor();
  await row(ids[1]).getByText("cost unknown").waitFor();
  await page.getByRole("link", { name: "Usage" }).click();
  const line = (name: string) => page.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });
  await line("a costly one").getByText(price, { exact: true }).waitFor();
  await line("a unpriced one").getByText("cost unknown").waitFor();
  await line("home-made-1").getByText("cost unknown").waitFor();
  expect(await page.locator(".figure").first().textContent()).toMatch(/^>\$\d+\.\d\d$/);
  await page.getByRole("img", { name: /^Cost per day: peak >?\$/ }).waitFor();
  await page.getByRole("img", { name: /^Tokens per day: peak \d+k tokens/ }).waitFor();
  await stage.leave(page);
}, 240_000);

test("budgets can be set and raised on the usage page", async () => {
  const page = await stage.view();
  await page.goto(`${stage.url}/#/usage`);
  const today = page.getByRole("region", { name: "Budget: Today, all sessions" });
  await today.getByText("no limit").waitFor();
  await today.getByRole("button", { name: "Set a limit" }).click();
  await today.getByRole("spinbutton").fill("0.1");
  await today.getByRole("button", { name: "Set", exact: true }).click();
  await today.getByText("spent: no new turn starts").waitFor();
  await today.getByRole("button", { name: "Change the limit" }).click();
  await today.getByRole("spinbutton").fill("1000");
  await today.getByRole("button", { name: "Set", exact: true }).click();
  await today.getByText("within the limit").waitFor();
  expect((await budgetOf(""))?.limitUsd).toBe(1000);
  await today.getByRole("button", { name: "Change the limit" }).click();
  await today.getByRole("button", { name: "Use the default from settings" }).click();
  await today.getByText("no limit").waitFor();
  await stage.leave(page);
}, 240_000);
