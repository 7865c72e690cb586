import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PromptState } from "@agentwire/api";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mustFitEverySize } from "./accessible.ts";
import { eventually, Stage, say } from "./stage.ts";
import { use } from "./tool-use.ts";

const DOT = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const stage = new Stage();
beforeAll(async () => {
  const touch = use("toolu_touch", "Bash", { command: "touch build/made.txt" });
  await stage.open({
    asker: { steps: [{ content: [touch] }], whenExhausted: { text: "Done with it." } },
    worker: {
      steps: [
        {
          content: [
            use("toolu_watch", "Bash", {
              command: "echo watching; sleep 600",
              description: "Watch the build",
              run_in_background: true,
            }),
          ],
        },
        {
          content: [
            use("toolu_look", "Agent", {
              description: "Look around",
              prompt: "look",
              subagent_type: "general-purpose",
              run_in_background: false,
            }),
          ],
        },
        { content: [use("toolu_read", "Read", { file_path: "{{cwd}}/src/price.ts" })] },
        { text: "I have looked." },
        { text: "Both began." },
      ],
      whenExhausted: { text: "I see." },
    },
  });
  const files: Record<string, string | Buffer> = {
    ".gitignore": ".env\nbuild/\n",
    ".env": "KEY=secret",
    "build/out.js": "",
    "README.md": "# Prices\n",
    "src/price.ts": "export const price = (cents: number): string => `$${cents / 100}`;\n",
    "src/rates/long.csv": "1;2;3\n".repeat(5000),
    "logo.png": DOT,
    "data.bin": Buffer.from([1, 0, 2]),
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(stage.project, path, ".."), { recursive: true });
    writeFileSync(join(stage.project, path), content);
  }
}, 240_000);
afterAll(() => stage.close(), 60_000);

const queued = (page: Page) =>
  page.getByRole("region", { name: "Queued prompts" }).locator(".queue-text").allTextContents();

test("queued prompts can be moved with the arrow keys and by dragging, and run in the new order", async () => {
  const { page, id } = await stage.tab("asker");
  await say(page, "begin");
  await page.getByRole("button", { name: "Allow once" }).waitFor();
  for (const text of ["one", "two", "three"]) {
    await say(page, text);
    await page.locator(".queue-text", { hasText: text }).waitFor();
  }
  await page.getByRole("button", { name: /^Move “three”/ }).focus();
  await page.keyboard.press("ArrowUp");
  await eventually(() => queued(page)).toEqual(["one", "three", "two"]);
  await page.keyboard.press("ArrowUp");
  await eventually(() => queued(page)).toEqual(["three", "one", "two"]);
  const handle = async (text: string) => {
    const box = await page.getByRole("button", { name: new RegExp(`^Move “${text}”`) }).boundingBox();
    return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
  };
  const [from, to] = [await handle("two"), await handle("one")];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
  await eventually(() => queued(page)).toEqual(["three", "two", "one"]);
  await mustFitEverySize(page, "queue");
  // The new order is stored, so other clients see it too.
  const { queue } = await stage.client.sessions.getSession({ sessionId: id });
  expect(queue.map(({ text }) => text)).toEqual(["three", "two", "one"]);
  await page.getByRole("button", { name: "Allow once" }).click();
  await page.locator(".said", { hasText: "Done with it." }).waitFor();
  // The next process plays the same script.
  await page.getByRole("button", { name: "Allow once" }).click();
  await eventually(async () => (await stage.client.sessions.getSession({ sessionId: id })).queue.length).toBe(
    0,
  );
  const begun = async () => {
    const { events } = await stage.client.sessions.listEvents({ sessionId: id, pageSize: 500 });
    const texts = new Map(
      events.flatMap(({ body }) =>
        body.case === "userInput" ? [[body.value.promptId, body.value.text]] : [],
      ),
    );
    return events.flatMap(({ body }) =>
      body.case === "promptChange" && body.value.state === PromptState.STARTED
        ? [texts.get(body.value.promptId)]
        : [],
    );
  };
  // A prompt has left the queue before that is stored.
  await eventually(begun).toEqual(["begin", "three", "two", "one"]);
  await stage.leave(page);
}, 240_000);

test("the Files dialog lists, searches, shows and mentions the session's files, except ignored ones", async () => {
  const { page } = await stage.tab("asker");
  await page.getByRole("heading", { name: "asker" }).click();
  await page.keyboard.press("o");
  const tree = page.getByRole("navigation", { name: "Files" });
  await tree.getByRole("button", { name: "README.md" }).waitFor();
  expect(await tree.getByRole("button").allTextContents()).toEqual([
    "src",
    ".gitignore",
    "data.bin",
    "logo.png",
    "README.md",
  ]);
  await tree.getByRole("button", { name: "src" }).click();
  await tree.getByRole("button", { name: "price.ts" }).click();
  const content = page.getByRole("region", { name: "Content" });
  await content.locator(".hljs-keyword", { hasText: "export" }).waitFor();
  expect(await content.locator(".line-number").allTextContents()).toEqual(["1"]);
  await mustFitEverySize(page, "file-tree");
  await tree.getByRole("button", { name: "logo.png" }).click();
  await content.getByRole("img", { name: "logo.png" }).waitFor();
  await tree.getByRole("button", { name: "data.bin" }).click();
  await content.getByText("This is not a text file.").waitFor();
  await tree.getByRole("searchbox", { name: "Find a file" }).fill("longcsv");
  await tree.getByRole("button", { name: "src/rates/long.csv" }).click();
  await content.getByRole("button", { name: "Show 3000 more lines" }).click();
  await eventually(() => content.locator(".line-number").count()).toBe(5000);
  await page.getByRole("button", { name: "Mention" }).click();
  const prompt = page.getByRole("textbox", { name: "Prompt" });
  await eventually(() => prompt.inputValue()).toBe("@src/rates/long.csv ");
  await prompt.fill("");
  await stage.leave(page);
}, 240_000);

test("background commands and subagents are listed above the prompt, and can be unfolded, followed and stopped", async () => {
  const { page } = await stage.tab("worker");
  await say(page, "begin");
  await page.locator(".said", { hasText: "Both began." }).waitFor();
  const tasks = page.getByRole("region", { name: "Background tasks" });
  const watch = tasks.locator(".task", { hasText: "Watch the build" });
  await watch.locator("summary").click();
  await watch.getByRole("log").getByText("watching").waitFor();
  const look = tasks.locator(".task", { hasText: "Look around" });
  await look.locator("summary").first().click();
  await look.locator('.call[data-tool="Read"]').waitFor();
  await mustFitEverySize(page, "tasks");
  await watch.getByRole("button", { name: "Stop" }).click();
  await watch.getByRole("img", { name: "stopped" }).waitFor();
  await stage.leave(page);
}, 240_000);
