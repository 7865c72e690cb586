import { HealthService, SessionStatus } from "@agentwire/api";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { stutter } from "../../../../test/stutter.ts";
import { bytes } from "../../src/text/words.ts";
import { flawsOf } from "./accessible.ts";
import { eventually, Stage, say } from "./stage.ts";
import { use } from "./tool-use.ts";

const stage = new Stage();
beforeAll(
  () =>
    stage.open(
      {
        toucher: {
          steps: [
            { content: [use("toolu_touch", "Bash", { command: "touch made.txt" })] },
            { text: "It is made." },
          ],
        },
        newer: [
          { hear: { type: "user" } },
          { say: { type: "holograms", colors: 3 } },
          { say: { type: "result", subtype: "success", is_error: false, result: "shown" } },
        ],
        crasher: [{ exit: 1 }],
      },
      { daemon: { spare_processes: 1 }, agents: { agentwire: { sessions_per_process: 10 } } },
    ),
  240_000,
);
afterAll(() => stage.close(), 60_000);

const health = () => stage.connect(HealthService).healthDetails({});
const panel = (page: Page, name: string) =>
  page.locator(".figures .panel", { has: page.locator("dt", { hasText: name }) });

test("the health page shows the daemon's figures: processes, restarts, memory, store, clients, and messages not understood", async () => {
  const { sessions } = stage.client;
  const begin = (agent: string) => sessions.createSession({ agent, cwd: stage.project, prompt: "go" });
  await begin("newer");
  const { session } = await begin("crasher");
  const { page } = await stage.tab("toucher");
  const statusOf = async () => (await sessions.getSession({ sessionId: session?.id ?? "" })).session?.status;
  await eventually(statusOf).toBe(SessionStatus.FAILED);
  await page.goto(`${stage.url}/#/health`);
  await panel(page, "Sessions").getByText("1 failed").waitFor();
  // The crashes also ended the process that had been started ahead.
  await sessions.createSession({ agent: "toucher", cwd: stage.project });
  await eventually(async () => (await health()).processes?.warm).toBe(1);
  const { processes, store } = await health();
  expect(Number(processes?.restarts)).toBeGreaterThan(0);
  await panel(page, "Agent processes").getByText(`1 warm, ${processes?.restarts} restart`).waitFor();
  await panel(page, "Agent processes").getByText(`of ${processes?.limit}`).waitFor();
  expect(await panel(page, "Memory").locator(".figure").textContent()).toMatch(/^\d+\.\d MB$/);
  expect(await panel(page, "Store").locator(".figure").textContent()).toContain(
    bytes(Number(store?.sizeBytes)).at(-2),
  );
  // The prompt whose process failed to start.
  await panel(page, "Queues")
    .getByText(/^1 prompt, \d+ writes? to disk$/)
    .waitFor();
  await panel(page, "Clients").getByText("0 live streams, 0 slow, 0 disconnected").waitFor();
  // This page is one of the clients.
  expect(Number(await panel(page, "Clients").locator(".figure").textContent())).toBeGreaterThan(0);
  const unknown = page.getByRole("row", { name: /Messages of unknown types/ });
  await unknown.getByText("holograms").waitFor();
  await eventually(() => page.locator(".agent", { hasText: "toucher" }).textContent()).toMatch(
    /\d+\.\d+\.\d+.*compatible/,
  );
  await stage.leave(page);
}, 240_000);

test("the health page lists shared processes with their load, and marks slow ones", async () => {
  const { session } = await stage.client.sessions.createSession({
    agent: "agentwire",
    cwd: stage.project,
    prompt: "list .",
  });
  const page = await stage.view({ viewport: { width: 390, height: 780 } });
  await page.goto(`${stage.url}/#/health`);
  const row = page.locator("table", { hasText: "Event-loop delay" }).locator("tbody tr");
  const texts = async () => (await row.locator("td").allTextContents()).join("; ");
  // A second session may have been started ahead.
  await eventually(texts).toMatch(/^\d+; [12]; \d+\.\d MB; [\d.]+ [kKM]?B; \d+ ms/);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  expect(await flawsOf(page, { colorScheme: "light" })).toEqual([]);
  const [shared] = (await health()).sharedProcesses;
  onTestFinished(stutter(shared?.pid as number));
  await row.getByText("slow").waitFor();
  await stage.leave(page);
  await stage.client.sessions.deleteSession({ sessionId: session?.id ?? "" });
}, 240_000);

test("the permission audit shows decisions, who made them, and mode changes", async () => {
  const { page, id } = await stage.tab("toucher");
  await say(page, "make it");
  await page.getByRole("button", { name: "Deny and stop" }).click();
  await page.locator('[data-status="idle"]').waitFor();
  await stage.client.sessions.setMode({ sessionId: id, permissionMode: "plan" });
  await page.goto(`${stage.url}/#/health`);
  const audit = page.getByRole("region", { name: "Permission audit" });
  const denied = audit.getByRole("row").filter({ hasText: "touch made.txt" }).first();
  await denied.getByText("denied").waitFor();
  expect(await denied.textContent()).toMatch(/web-/);
  expect(await denied.getByRole("link", { name: "Bash" }).getAttribute("href")).toContain(id);
  await audit.getByRole("combobox", { name: "Show" }).selectOption("mode");
  await audit.getByText("default to plan").waitFor();
  await stage.leave(page);
}, 240_000);
