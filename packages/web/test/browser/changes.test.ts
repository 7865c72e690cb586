import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { flawsOf } from "./accessible.ts";
import { picture } from "./pictures.ts";
import { SIZE_NAMES, SIZES } from "./sizes.ts";
import { eventually, Stage, say } from "./stage.ts";
import { use } from "./tool-use.ts";

const stage = new Stage();
const git = (...args: readonly string[]) =>
  execFileSync("git", args, { cwd: stage.project, encoding: "utf8", stdio: "pipe" }).trimEnd();
const write = (path: string, text: string) => writeFileSync(join(stage.project, path), text);
const read = (path: string) => readFileSync(join(stage.project, path), "utf8");

const LINES = Array.from({ length: 40 }, (_, line) => `export const value${line} = ${line};`);
const CODE = `${LINES.join("\n")}\n`;

beforeAll(async () => {
  const edit = (id: string, from: string, to: string) =>
    use(id, "Edit", { file_path: "{{cwd}}/price.ts", old_string: from, new_string: to });
  await stage.open({
    editor: {
      steps: [
        { content: [use("toolu_r", "Read", { file_path: "{{cwd}}/price.ts" })] },
        { content: [edit("toolu_1", LINES[3] ?? "", "export const price = 3; // changed")] },
        { content: [edit("toolu_2", LINES[30] ?? "", 'export const other = "thirty";')] },
        { content: [use("toolu_w", "Write", { file_path: "{{cwd}}/made.txt", content: "made\n" })] },
        { text: "Done." },
      ],
      whenExhausted: { text: "I see." },
    },
  });
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Ann");
  git("config", "user.email", "ann@example.com");
}, 240_000);
afterAll(() => stage.close(), 60_000);

describe.each(SIZE_NAMES)("on a %s screen", (size) => {
  test("changes of a session can be commented on, reverted, staged and committed", async () => {
    write("price.ts", CODE);
    write("mine.txt", "mine\n");
    git("add", "--all");
    git("commit", "--quiet", "--allow-empty", "--message=first");
    const { session } = await stage.client.sessions.createSession({
      agent: "editor",
      cwd: stage.project,
      title: "Say what prices are",
      permissionMode: "acceptEdits",
    });
    const page = await stage.view({ ...SIZES[size], sessionId: session?.id ?? "" });
    await say(page, "change two lines");
    await page.locator(".said", { hasText: "Done." }).waitFor();
    write("mine.txt", "mine, changed by hand\n");
    await page.getByRole("button", { name: "Changes" }).click();
    const dialog = page.getByRole("dialog", { name: "Changes" });
    await dialog.getByText("3 files").waitFor();
    await dialog.getByRole("checkbox", { name: "Only files edited by the agent's tools" }).check();
    await dialog.getByText("2 files").waitFor();
    await dialog.locator(".hljs-keyword").first().waitFor();
    expect(await dialog.locator("table.two-columns").count()).toBe(size === "phone" ? 0 : 3);

    await dialog
      .getByRole("region", { name: "price.ts" })
      .getByRole("button", { name: "Comment on line 4" })
      .last()
      .click();
    await dialog.getByRole("textbox", { name: "Comment on line 4" }).fill("Use dollars here.");
    await dialog.getByRole("button", { name: "Add" }).click();
    await dialog.locator(".comment", { hasText: "Use dollars here." }).waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      expect(await flawsOf(page, { within: ".changes-dialog", colorScheme })).toEqual([]);
      await picture(page, `${size}-changes${colorScheme === "dark" ? "-dark" : ""}`);
    }

    await dialog
      .getByRole("combobox", { name: "Changes to show" })
      .selectOption({ label: "Turn: change two lines" });
    await dialog.getByText("3 files").waitFor();
    await dialog.getByRole("combobox", { name: "Changes to show" }).selectOption("open");

    await dialog.getByRole("button", { name: "Revert hunk" }).last().click();
    await dialog.getByText("Reverted a hunk of price.ts.").waitFor();
    expect(read("price.ts")).not.toContain("thirty");
    await dialog.getByRole("button", { name: "Undo" }).click();
    await eventually(() => read("price.ts").includes("thirty")).toBe(true);
    await dialog
      .getByRole("region", { name: "made.txt" })
      .getByRole("button", { name: "Revert file" })
      .click();
    await dialog.getByText("Reverted made.txt.").waitFor();
    expect(existsSync(join(stage.project, "made.txt"))).toBe(false);

    await dialog.getByRole("checkbox", { name: "Stage price.ts" }).click();
    await dialog.getByRole("textbox", { name: "Commit message" }).fill(`Change prices at a ${size}`);
    await dialog.getByRole("button", { name: "Commit 1 file" }).click();
    await dialog.getByText(/Committed as [0-9a-f]{8}/).waitFor();
    expect(git("log", "-1", "--format=%s")).toBe(`Change prices at a ${size}`);
    expect(git("status", "--porcelain")).toBe(" M mine.txt");

    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(SIZES[size].viewport.width);
    await dialog.getByRole("button", { name: "Send 1 comment" }).click();
    const bubble = page.locator(".prompt-bubble", { hasText: "Use dollars here." });
    await bubble.getByText("price.ts:4").waitFor();
    await stage.leave(page);
  }, 240_000);
});
