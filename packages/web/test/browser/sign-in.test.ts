import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AdminService } from "@agentwire/api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Stage } from "./stage.ts";

const stage = new Stage();
beforeAll(() => stage.open({ talker: { steps: [], whenExhausted: { text: "Here." } } }), 240_000);
afterAll(() => stage.close(), 60_000);

const freshLink = async () => (await stage.connect(AdminService).createConsoleLink({})).url;

test("a new link pasted into the same tab signs it in", async () => {
  const page = await stage.stranger();
  await page.goto(stage.link.replace(/token=.*/, "token=wrong"));
  await page.getByRole("alert").waitFor();
  const link = await freshLink();
  // Only the part after the # changes, as when a user pastes a link into the address bar.
  await page.evaluate(`location.href = ${JSON.stringify(link)}`);
  await page.getByRole("link", { name: "New session" }).first().waitFor();
  expect(page.url()).toBe(`${stage.url}/`);
  await page.context().close();
}, 240_000);

test("a mistyped token is rejected with an error, and the right one works", async () => {
  const page = await stage.stranger();
  await page.goto(stage.url);
  const field = page.getByLabel("Or paste the token");
  const token = readFileSync(join(stage.folder, "state", "token"), "utf8").trim();
  for (const wrong of [`${token}x`, "tökén", "two words"]) {
    await field.fill(wrong);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").filter({ hasText: "This token is not valid" }).waitFor();
  }
  await field.fill(` ${token}\n`);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("link", { name: "New session" }).first().waitFor();
  await page.context().close();
}, 240_000);

test("a whole link pasted into the form signs in", async () => {
  const page = await stage.stranger();
  await page.goto(stage.url);
  await page.getByLabel("Or paste the token").fill(await freshLink());
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("link", { name: "New session" }).first().waitFor();
  await page.context().close();
}, 240_000);
