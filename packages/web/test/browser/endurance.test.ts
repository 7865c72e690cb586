import { Disposition, type Event } from "@agentwire/api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OpenSession } from "../../src/session/open-session.ts";
import { eventually, Stage, say } from "./stage.ts";

const WORDS = Array.from({ length: 400 }, (_, index) => `word${index}`).join(" ");

const stage = new Stage();
beforeAll(
  () =>
    stage.open({
      slow: {
        steps: [{ text: WORDS, chunkSize: 8, chunkDelay: 60 }],
        whenExhausted: { text: "Still here." },
      },
      talker: { steps: [], whenExhausted: { text: "Here I am." } },
      toucher: {
        steps: [
          {
            content: [
              { type: "tool_use", id: "toolu_t", name: "Bash", input: { command: "touch made.txt" } },
            ],
          },
          { text: "It is made." },
        ],
      },
    }),
  240_000,
);
afterAll(() => stage.close(), 60_000);

test("an interrupted turn keeps the text it has streamed", async () => {
  const { page } = await stage.tab("slow");
  await say(page, "talk");
  await page.locator(".said.open", { hasText: "word3" }).waitFor();
  await page.getByRole("button", { name: "Interrupt" }).click();
  await page.locator('[data-status="idle"]').waitFor();
  expect(await page.locator(".said").textContent()).toMatch(/^word0 word1 word2/);
  expect(await page.locator(".said").textContent()).not.toContain("word399");
  await stage.leave(page);
}, 240_000);

test("a queued prompt is shown, and can be withdrawn", async () => {
  const { page } = await stage.tab("slow");
  await say(page, "talk");
  await page.locator(".said.open").waitFor();
  await say(page, "and then this");
  const queue = page.getByRole("region", { name: "Queued prompts" });
  await queue.getByText("and then this").waitFor();
  await queue.getByRole("button", { name: "Withdraw" }).click();
  await page.locator(".prompt-bubble.cancelled", { hasText: "and then this" }).waitFor();
  expect(await queue.count()).toBe(0);
  await page.getByRole("textbox", { name: "Prompt" }).press("Escape");
  await page.locator('[data-status="idle"]').waitFor();
  await stage.leave(page);
}, 240_000);

test("when the daemon is killed during a stream, the console reconnects without gaps or duplicates", async () => {
  const { page, id } = await stage.tab("slow");
  await say(page, "talk");
  await page.locator(".said.open", { hasText: "word9" }).waitFor();
  await stage.killDaemon("SIGKILL");
  await page.locator(".behind", { hasText: "connection lost" }).waitFor();
  const before = await page.locator(".said").textContent();
  await stage.startDaemon();
  await page.locator(".notice-row", { hasText: "restarted" }).waitFor();
  await page.locator(".behind").waitFor({ state: "detached" });
  expect((await page.locator(".said").textContent())?.startsWith(before ?? "?")).toBe(true);
  expect(await page.locator(".prompt-bubble").count()).toBe(1);
  await say(page, "are you there?");
  await page.locator(".said.open").waitFor();
  const [cut = ""] = await page.locator(".said").allTextContents();
  // The stored text is exactly the text that was on the page.
  await page.reload();
  await page.locator(".said.open").waitFor();
  expect(await page.locator(".said").first().textContent()).toBe(cut);
  expect(await page.locator(".prompt-bubble").count()).toBe(2);
  await stage.client.sessions.interrupt({ sessionId: id });
  await stage.leave(page);
}, 240_000);

test("a resting session closes its stream, and continues after its last event when it wakes", async () => {
  const { sessions } = stage.client;
  const { session } = await sessions.createSession({ agent: "talker", cwd: stage.project });
  const sessionId = session?.id ?? "";
  const watchers = async () => (await sessions.getSession({ sessionId })).session?.watchers;
  const open = new OpenSession(
    stage.client,
    sessionId,
    () => {},
    () => {},
  );
  const running = open.run();
  const seqs = () =>
    open.view.type === "open" ? open.view.excerpt.events.map(({ seq }) => Number(seq)) : [];
  await eventually(watchers).toBe(1);
  open.rest();
  await eventually(watchers).toBe(0);
  await sessions.sendPrompt({ sessionId, text: "go on" });
  await eventually(async () => (await sessions.listEvents({ sessionId })).events.some(isTurnOver)).toBe(true);
  expect(seqs()).toEqual([]);
  open.wake();
  const stored = async () => (await sessions.listEvents({ sessionId })).events.map(({ seq }) => Number(seq));
  await eventually(async () => seqs().join() === (await stored()).join()).toBe(true);
  open.close();
  await running;
}, 240_000);

const isTurnOver = ({ body }: Event) => body.case === "turnComplete";

test("when one of two tabs answers a question, the other says who answered and how", async () => {
  const { page, id } = await stage.tab("toucher");
  const other = await stage.view({ sessionId: id });
  await say(page, "make it");
  const name = "Allow Bash?";
  await Promise.all([page, other].map((tab) => tab.getByRole("region", { name }).waitFor()));
  await page.getByRole("button", { name: "Deny and stop" }).click();
  await other.locator(".card.settled").waitFor();
  expect(await other.locator(".card.settled").textContent()).toMatch(/Bash Denied by web-/);
  await other.getByRole("button", { name: "Dismiss" }).click();
  await eventually(() => other.locator(".card").count()).toBe(0);
  await eventually(() => page.locator(".card").count()).toBe(0);
  await stage.leave(other);
  await stage.leave(page);
}, 240_000);

test("if two tabs answer at the same time, only one answer counts", async () => {
  const { page, id } = await stage.tab("toucher");
  const other = await stage.view({ sessionId: id });
  await say(page, "make it");
  const buttons = [
    page.getByRole("button", { name: "Allow once" }),
    other.getByRole("button", { name: "Deny", exact: false }).first(),
  ];
  const elements = await Promise.all(buttons.map((button) => button.elementHandle()));
  await Promise.all(elements.map((element) => element?.dispatchEvent("click")));
  await page.locator(".turn-end").waitFor();
  const { questions } = await stage.client.questions.listQuestions({ sessionId: id, includeDecided: true });
  expect(questions).toHaveLength(1);
  const wasAllowed = questions[0]?.disposition === Disposition.ALLOWED;
  const outcome = wasAllowed ? /^Allowed by you/ : /^Denied by you/;
  for (const tab of [page, other])
    await eventually(() => tab.locator(".call .asked").textContent()).toMatch(outcome);
  await page.locator(wasAllowed ? ".call.done" : ".call.failed").waitFor();
  await stage.leave(other);
  await stage.leave(page);
}, 240_000);
