import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SessionStatus } from "@agentwire/api";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { showcase } from "./showcase.ts";
import { Stage, say } from "./stage.ts";

/** Where pictures for the documentation go when they are wanted. */
const IMAGES = process.env.AGENTWIRE_SCREENSHOTS
  ? fileURLToPath(new URL("../../../../docs/images/", import.meta.url))
  : undefined;

const stage = new Stage();
beforeAll(async () => {
  await stage.open(showcase);
  mkdirSync(join(stage.project, "src"));
  writeFileSync(join(stage.project, "src", "price.ts"), PRICE);
  if (IMAGES) {
    mkdirSync(IMAGES, { recursive: true });
    await populate();
  }
}, 60_000);
afterAll(() => stage.close(), 30_000);

const PRICE = `export function price(cents: number): string {
  return "$" + cents / 100;
}
`;

/** Pictures are of a console in use. */
async function populate(): Promise<void> {
  const { sessions } = stage.client;
  const begin = (agent: string, title: string) =>
    sessions.createSession({ agent, title, cwd: stage.project, prompt: title });
  await begin("writer", "Write the release notes");
  await begin("writer", "Explain the retry loop");
  await begin("writer", "Name the flaky tests");
  await begin("upgrader", "Upgrade the linter");
  await vi.waitFor(async () => {
    const asking = await sessions.listSessions({ statuses: [SessionStatus.ASKING] });
    expect(asking.sessions).toHaveLength(1);
  }, 30_000);
}

const PICTURES = new Set([
  "session-asks",
  "session-asks-dark",
  "session-done",
  "health",
  "usage",
  "phone-session",
]);

const HIDE_PATHS = `
  for (const path of document.querySelectorAll(".agents .path")) path.textContent = "/usr/local/bin/agentwire-agent";
`;

async function look(page: Page, name: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  expect(grave.map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html}`)).toEqual([]);
  if (!IMAGES || !PICTURES.has(name)) return;
  // Where programs are on this machine is nothing for pictures.
  await page.evaluate(HIDE_PATHS);
  await page.screenshot({ path: join(IMAGES, `${name}.png`), animations: "disabled" });
}

/** A session that has answered, used tools, and asks. */
async function asking(options: Parameters<Stage["page"]>[0]): Promise<{ page: Page; id: string }> {
  const { session } = await stage.client.sessions.createSession({
    agent: "fixer",
    cwd: stage.project,
    title: "Prices lose their cents",
  });
  const id = session?.id ?? "";
  const page = await stage.page(options);
  await stage.show(page, id);
  await say(page, "Prices like $5.1 should read $5.10. Find out why and fix it.");
  await page.getByRole("region", { name: "May it use Edit?" }).waitFor();
  return { page, id };
}

test("a session is accessible in light and dark, from the question to the answer", async () => {
  const { page } = await asking({ colorScheme: "light" });
  await look(page, "session-asks");
  await page.emulateMedia({ colorScheme: "dark" });
  await look(page, "session-asks-dark");
  await page.getByRole("button", { name: "Always…" }).click();
  await look(page, "rule");
  await page.getByRole("button", { name: "Back" }).click();
  await page.emulateMedia({ colorScheme: "light" });
  await page.getByRole("button", { name: "Allow once" }).click();
  await page.locator(".said", { hasText: "Fixed. Every" }).waitFor();
  await look(page, "session-done");
  await page
    .getByRole("button", { name: /as it came/ })
    .first()
    .focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByText("As it is stored").waitFor();
  await look(page, "raw");
  await page.context().close();
}, 90_000);

test("the other views are accessible", async () => {
  const page = await stage.page();
  await look(page, "home");
  await page.goto(`${stage.url}/#/new`);
  await page.getByRole("heading", { name: "New session" }).waitFor();
  await look(page, "new-session");
  await page.goto(`${stage.url}/#/health`);
  await page.getByRole("heading", { name: "Permission audit" }).waitFor();
  await look(page, "health");
  await page.goto(`${stage.url}/#/usage`);
  await page.getByRole("heading", { name: "Usage" }).waitFor();
  await look(page, "usage");
  const stranger = await stage.stranger();
  await stranger.goto(stage.url);
  await stranger.getByRole("button", { name: "Sign in" }).waitFor();
  await look(stranger, "sign-in");
  await stranger.context().close();
  await page.context().close();
}, 90_000);

test("a phone shows one thing at a time, and nothing wider than itself", async () => {
  const { page, id } = await asking({ viewport: { width: 390, height: 780 }, hasTouch: true });
  const widthOf = () => page.evaluate("document.documentElement.scrollWidth");
  expect(await widthOf()).toBe(390);
  expect(await page.locator(".sidebar").isVisible()).toBe(false);
  await look(page, "phone-session");
  await page.getByRole("button", { name: "Allow once" }).tap();
  await page.locator(".said", { hasText: "Fixed. Every" }).waitFor();
  await page.getByRole("link", { name: "All sessions" }).tap();
  await page.locator(`.session-row[href$="${id}"]`).waitFor();
  expect(await widthOf()).toBe(390);
  await look(page, "phone-list");
  await page.context().close();
}, 90_000);

test("no request leaves for another host, and nothing is refused by the page's own policy", async () => {
  const page = await stage.stranger();
  const hosts = new Set<string>();
  const complaints: string[] = [];
  page.on("request", (request) => void hosts.add(new URL(request.url()).host));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  const { page: signedIn } = await stage.session("fixer");
  await page.context().addCookies(await signedIn.context().cookies());
  await page.goto(stage.url);
  await page.getByRole("link", { name: "New session" }).first().waitFor();
  await page.goto(`${stage.url}/#/health`);
  await page.getByRole("heading", { name: "Permission audit" }).waitFor();
  expect([...hosts]).toEqual([new URL(stage.url).host]);
  expect(complaints).toEqual([]);
  await page.context().close();
  await signedIn.context().close();
}, 60_000);
