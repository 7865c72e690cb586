import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PAGES, type PageName } from "../../src/route.ts";
import { flawsOf } from "./accessible.ts";
import { picture, populate } from "./pictures.ts";
import { showcase } from "./showcase.ts";
import { Stage, say } from "./stage.ts";

const stage = new Stage();
beforeAll(async () => {
  await stage.open(showcase, { budgets: { day_usd: 5, session_usd: 45 } });
  mkdirSync(join(stage.project, "src"));
  await populate(stage);
}, 240_000);
afterAll(() => stage.close(), 60_000);

const PRICE = `export function price(cents: number): string {
  return "$" + cents / 100;
}
`;

/** The pages that the tests below open in a certain state; all others are checked as they are. */
const IN_A_STATE: ReadonlySet<PageName> = new Set(["home", "new", "health", "usage"]);

const GRAVE: ReadonlySet<unknown> = new Set(["serious", "critical"]);

/** Checks a page for serious accessibility violations in both themes, and takes pictures. */
async function look(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    const flaws = await flawsOf(page, { colorScheme });
    expect(
      flaws.filter(({ impact }) => GRAVE.has(impact)),
      `${name}, ${colorScheme}`,
    ).toEqual([]);
    await picture(page, colorScheme === "dark" ? `${name}-dark` : name);
  }
}

/** Opens a session that has replied, used tools, and has an open question. */
async function asking(options?: Parameters<Stage["view"]>[0]): Promise<{ page: Page; id: string }> {
  // An earlier session may have fixed the file.
  writeFileSync(join(stage.project, "src", "price.ts"), PRICE);
  const { session } = await stage.client.sessions.createSession({
    agent: "fixer",
    cwd: stage.project,
    title: "Prices lose their cents",
  });
  const id = session?.id ?? "";
  const page = await stage.view({ ...options, sessionId: id });
  await say(page, "Prices like $5.1 should read $5.10. Find out why and fix it.");
  await page.getByRole("region", { name: "Allow Edit?" }).waitFor();
  return { page, id };
}

test("a session is accessible in both themes, from question to answer", async () => {
  const { page, id } = await asking();
  await look(page, "session-asks");
  await page.getByRole("button", { name: "Always…" }).click();
  await look(page, "rule");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Edit…" }).click();
  await look(page, "input");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Allow once" }).click();
  await page.locator(".said", { hasText: "Fixed. Every" }).waitFor();
  await look(page, "session-done");
  await page
    .getByRole("button", { name: /as received/ })
    .first()
    .focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByText("As stored").waitFor();
  await look(page, "raw");
  await stage.leave(page);
  // The test for the phone creates a session with the same title.
  await stage.client.sessions.deleteSession({ sessionId: id });
}, 240_000);

test("requesting the input is accessible on a phone, for requester and holder", async () => {
  const viewport = { width: 390, height: 780 };
  const { page: holder, id } = await stage.tab("fixer", { viewport });
  const guest = await stage.view({ viewport, sessionId: id });
  await holder.getByLabel("Session actions").click();
  await holder.getByRole("button", { name: "Take the input" }).click();
  await guest.getByRole("button", { name: "Ask for the input" }).waitFor();
  await look(guest, "input-others");
  await guest.getByRole("button", { name: "Ask for the input" }).click();
  const card = holder.getByRole("region", { name: /asks for the input/ });
  await card.waitFor();
  await look(holder, "input-asked");
  await card.getByRole("button", { name: "Refuse" }).click();
  await guest.getByText("Take it anyway…").click();
  await guest.getByRole("button", { name: "Take it from" }).waitFor();
  await look(guest, "input-force");
  for (const page of [holder, guest])
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  await stage.leave(guest);
  await stage.leave(holder);
  await stage.client.sessions.deleteSession({ sessionId: id });
}, 240_000);

/** The page that shows one view after the other: it knows axe by then, which halves the computing time of a check. */
let views: Promise<Page> | undefined;
const viewsPage = () => (views ??= stage.view());

test("the other views are accessible", async () => {
  const page = await viewsPage();
  await look(page, "home");
  await page.goto(`${stage.url}/#/new`);
  await page.getByRole("heading", { name: "New session" }).waitFor();
  await look(page, "new-session");
  await page.goto(`${stage.url}/#/health`);
  await page.getByRole("region", { name: "Permission audit" }).locator("table, p").first().waitFor();
  await look(page, "health");
  await page.goto(`${stage.url}/#/usage`);
  await page.getByRole("heading", { name: "Budgets" }).waitFor();
  await look(page, "usage");
  await page.getByRole("button", { name: "Change the limit" }).first().click();
  await look(page, "limit");
  const stranger = await stage.stranger();
  await stranger.goto(stage.url);
  await stranger.getByRole("button", { name: "Sign in" }).waitFor();
  await look(stranger, "sign-in");
  await stranger.context().close();
}, 240_000);

test.each(PAGES.filter((view) => !IN_A_STATE.has(view)))(
  "the page “%s” is accessible",
  async (view) => {
    const page = await viewsPage();
    // The heading of the view that the page has shown so far stays for a moment.
    const hasNotText = (await page.locator("main h1").textContent()) ?? "";
    await page.goto(`${stage.url}/#/${view}`);
    await page.locator("main h1", { hasNotText }).waitFor();
    await look(page, view);
  },
  240_000,
);

test("a phone shows one pane at a time, and never scrolls sideways", async () => {
  const { page, id } = await asking({ viewport: { width: 390, height: 780 }, hasTouch: true });
  const widthOf = () => page.evaluate("document.documentElement.scrollWidth");
  expect(await widthOf()).toBe(390);
  expect(await page.locator(".sidebar").isVisible()).toBe(false);
  await look(page, "phone-session");
  await page.getByRole("button", { name: "Allow once" }).tap();
  await page.locator(".said", { hasText: "Fixed. Every" }).waitFor();
  const raw = page.getByRole("button", { name: /as received/ }).last();
  expect(await raw.isVisible()).toBe(false);
  await page.getByLabel("Session actions").tap();
  await page.getByRole("button", { name: "Raw events" }).tap();
  await raw.waitFor();
  expect(await widthOf()).toBe(390);
  await page.getByRole("link", { name: "All sessions" }).tap();
  await page.locator(`.session-row[href$="${id}"]`).waitFor();
  expect(await widthOf()).toBe(390);
  await look(page, "phone-list");
  for (const view of ["new", "health", "usage"]) {
    await page.goto(`${stage.url}/#/${view}`);
    await page
      .getByRole("heading", { level: view === "new" ? 1 : 2 })
      .first()
      .waitFor();
    expect(await widthOf()).toBe(390);
    await page.getByRole("link", { name: "All sessions" }).tap();
    await page.locator(".session-row").first().waitFor();
  }
  await page.context().close();
}, 240_000);

test("the console requests nothing from other hosts, and violates no content security policy", async () => {
  const { page: signedIn } = await stage.tab("fixer");
  const storageState = await signedIn.context().storageState();
  await stage.leave(signedIn);
  const page = await stage.stranger({ storageState });
  const hosts = new Set<string>();
  const complaints: string[] = [];
  page.on("request", (request) => void hosts.add(new URL(request.url()).host));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto(stage.url);
  await page.getByRole("link", { name: "New session" }).first().waitFor();
  await page.goto(`${stage.url}/#/health`);
  await page.getByRole("heading", { name: "Permission audit" }).waitFor();
  expect([...hosts]).toEqual([new URL(stage.url).host]);
  expect(complaints).toEqual([]);
  await page.context().close();
}, 240_000);
