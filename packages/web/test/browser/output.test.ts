import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { flawsOf } from "./accessible.ts";
import { picture } from "./pictures.ts";
import { png } from "./png.ts";
import { SIZE_NAMES, SIZES } from "./sizes.ts";
import { Stage, say } from "./stage.ts";
import { use } from "./tool-use.ts";

const CHART = `data:image/png;base64,${png(40, 30, [31, 111, 92]).toString("base64")}`;
const TABLE = "| name | count | state |\n| :-- | --: | :-: |\n| a | 12 | ok |\n| b | 3456 | no |";

/** The text of the user's own prompt bubble: the prompt, and the rewind button once it is answered. */
const PROMPT = /^paint↶?$/;

const stage = new Stage();
beforeAll(
  () =>
    stage.open({
      runner: {
        steps: [
          {
            content: [
              use("toolu_r", "Bash", {
                command: "printf '\\033[32mbegan\\033[0m\\n'; until [ -e go ]; do sleep 0.1; done",
              }),
            ],
          },
          { text: "It is over." },
        ],
      },
      painter: {
        steps: [
          {
            content: [
              use("toolu_p", "Bash", {
                command: "printf '\\033[31mred\\033[0m \\033[1mbold\\033[0m\\n' # shown in colors",
              }),
            ],
          },
          { text: `${TABLE}\n\n![a chart](${CHART})\n\n![far away](https://example.org/c.png)` },
        ],
      },
    }),
  240_000,
);
afterAll(() => stage.close(), 60_000);

describe.each(SIZE_NAMES)("on a %s screen", (size) => {
  test("output keeps its colors, tables are aligned, images are shown, and the user's own name is hidden", async () => {
    const { page, id } = await stage.tab("painter", SIZES[size]);
    await say(page, "paint");
    await page.locator(".said.done img").waitFor();
    await page.locator('.call[data-tool="Bash"] summary').click();
    const output = page.locator('.call[data-tool="Bash"] .output');
    expect(await output.textContent()).toContain("red bold");
    expect(await output.locator(".color-1").textContent()).toBe("red");
    expect(
      await page.evaluate(
        'getComputedStyle(document.querySelector(".said tbody td:nth-child(2)")).textAlign',
      ),
    ).toBe("right");
    const width = await page
      .locator(".said img")
      .evaluate((image) => (image as { naturalWidth?: number }).naturalWidth);
    expect(width).toBe(40);
    expect(await page.getByRole("link", { name: "Image: far away" }).getAttribute("href")).toBe(
      "https://example.org/c.png",
    );
    expect(await page.locator(".prompt-bubble").textContent()).toMatch(PROMPT);
    await page.reload();
    await page.locator(".said.done img").waitFor();
    expect(await page.locator(".prompt-bubble").textContent()).toMatch(PROMPT);
    await picture(page, `${size}-output`);
    await stage.client.sessions.deleteSession({ sessionId: id });
    await stage.leave(page);
  }, 240_000);
});

test("a command's output is shown while it runs, and replaced by its result", async () => {
  const { session } = await stage.client.sessions.createSession({
    agent: "runner",
    cwd: stage.project,
    title: "a long command",
    permissionMode: "bypassPermissions",
  });
  const page = await stage.view({ ...SIZES.laptop, sessionId: session?.id ?? "" });
  await say(page, "run it");
  const output = page.getByRole("log", { name: "Output so far" });
  await output.getByText("began").waitFor();
  expect(await output.locator(".color-2").textContent()).toBe("began");
  expect(await flawsOf(page, { within: ".items" })).toEqual([]);
  await picture(page, "laptop-running");
  writeFileSync(join(stage.project, "go"), "");
  await page.locator(".said", { hasText: "It is over." }).waitFor();
  await output.waitFor({ state: "detached" });
  await stage.leave(page);
}, 240_000);
