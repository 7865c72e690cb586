import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AdminService } from "@agentwire/api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { picture } from "./pictures.ts";
import { SIZES } from "./sizes.ts";
import { eventually, Stage } from "./stage.ts";
import { use } from "./tool-use.ts";

const stage = new Stage();
const shop = join(stage.folder, "shop");
const git = (folder: string, ...args: readonly string[]) =>
  execFileSync("git", args, { cwd: folder, encoding: "utf8", stdio: "pipe" }).trim();

const PRICE = 'export const price = (cents: number) => "$" + cents / 100;\n';
const FIXED = 'export const price = (cents: number) => "$" + (cents / 100).toFixed(2);\n';
const WRONG = 'export const price = (cents: number) => "€" + (cents / 100).toFixed(2);\n';
const write = (id: string, content: string) =>
  use(id, "Write", { file_path: "{{cwd}}/src/price.ts", content });

beforeAll(async () => {
  const asker = (file: string) => ({
    steps: [{ content: [use(`toolu_${file}`, "Bash", { command: `touch ${file}` })] }, { text: "Done." }],
  });
  await stage.open({
    upgrader: asker("linter"),
    reviewer: asker("parser"),
    fixer: {
      steps: [
        { content: [use("toolu_read", "Read", { file_path: "{{cwd}}/src/price.ts" })] },
        { content: [write("toolu_1", FIXED)] },
        { text: "Prices now have two digits after the point, always.", chunkSize: 4, chunkDelay: 5 },
        { content: [write("toolu_2", WRONG)] },
        { text: "Prices are in euros now." },
      ],
    },
  });
  mkdirSync(join(shop, "src"), { recursive: true });
  writeFileSync(join(shop, "src", "price.ts"), PRICE);
  git(shop, "init", "--quiet", "--initial-branch=main");
  git(shop, "config", "user.name", "Ann");
  git(shop, "config", "user.email", "ann@example.com");
  git(shop, "add", ".");
  git(shop, "commit", "--quiet", "--message=first");
  for (const [agent, title] of [
    ["upgrader", "Upgrade the linter"],
    ["reviewer", "Review the parser"],
  ] as const)
    await stage.client.sessions.createSession({ agent, title, cwd: shop, prompt: title });
}, 240_000);
afterAll(() => stage.close(), 60_000);

test("a day with the console works, from answering a question on the phone to a commit", async () => {
  // In the morning, on a phone: sign in with a link, and see that two sessions have questions.
  const phone = await stage.stranger(SIZES.phone);
  await phone.goto((await stage.connect(AdminService).createConsoleLink({})).url);
  await phone.getByText("2 questions are waiting for you").waitFor();
  await picture(phone, "day-1-phone");
  await phone.getByRole("link", { name: /Upgrade the linter/ }).tap();
  await phone.getByRole("button", { name: "Allow once" }).tap();
  await phone.locator(".said", { hasText: "Done." }).waitFor();
  await phone.getByRole("link", { name: "Another session has a question" }).waitFor();
  await phone.context().close();

  // At the desk: start a session in a separate worktree.
  const page = await stage.page(SIZES.laptop);
  await page.getByRole("link", { name: "New session" }).first().click();
  await page.getByRole("combobox", { name: "Folder" }).fill(shop);
  await page.getByRole("combobox", { name: "Agent" }).selectOption("fixer");
  await page.getByRole("combobox", { name: /^Mode(?!l)/ }).selectOption("acceptEdits");
  await page.getByRole("checkbox", { name: "Use a separate git worktree" }).check();
  await page.getByRole("textbox", { name: "Worktree name" }).fill("prices");
  await page.getByRole("button", { name: "Start" }).click();

  // Mention a file by part of its name, and watch the answer stream in.
  const box = page.getByRole("textbox", { name: "Prompt" });
  await box.pressSequentially("Prices lose their cents in @pri");
  await page.getByRole("option", { name: /src\/price\.ts/ }).waitFor();
  await page.keyboard.press("Enter");
  await eventually(() => box.inputValue()).toContain("@src/price.ts");
  await page.keyboard.press("Enter");
  const said = page.locator(".said", { hasText: "Prices now" });
  await said.waitFor();
  await page.locator(".said", { hasText: "two digits after the point, always." }).waitFor();
  const worktree = join(shop, ".claude", "worktrees", "prices");
  const file = () => readFileSync(join(worktree, "src", "price.ts"), "utf8");
  expect(file()).toBe(FIXED);
  expect(readFileSync(join(shop, "src", "price.ts"), "utf8")).toBe(PRICE);
  await picture(page, "day-2-answer");

  // Look at the diff, and comment on a line: the comment is the next prompt.
  await page.getByRole("button", { name: "Changes" }).click();
  const changes = page.getByRole("dialog", { name: "Changes" });
  await changes.getByRole("button", { name: "Comment on line 1" }).last().click();
  await changes.getByRole("textbox", { name: "Comment on line 1" }).fill("In euros, please.");
  await changes.getByRole("button", { name: "Add" }).click();
  await picture(page, "day-3-comment");
  await changes.getByRole("button", { name: "Send 1 comment" }).click();
  await page.locator(".said", { hasText: "Prices are in euros now." }).waitFor();
  expect(file()).toBe(WRONG);

  // That was a mistake: rewind to before the comment.
  const comment = page.locator("li", { hasText: "In euros, please." }).last();
  await comment.getByRole("button", { name: /^Rewind/ }).click();
  const rewind = page.getByRole("dialog", { name: /^Rewind/ });
  await rewind.getByRole("list", { name: "Files that change" }).getByText("src/price.ts").waitFor();
  await rewind.getByRole("button", { name: "Rewind", exact: true }).click();
  await eventually(file).toBe(FIXED);

  // Commit the remaining changes.
  await page.getByRole("button", { name: "Changes" }).click();
  await changes.getByRole("checkbox", { name: "Stage src/price.ts" }).click();
  await changes.getByRole("textbox", { name: "Commit message" }).fill("Keep the cents of prices");
  await changes.getByRole("button", { name: "Commit 1 file" }).click();
  await changes.getByText(/Committed as [0-9a-f]{8}/).waitFor();
  await picture(page, "day-4-commit");
  expect(git(worktree, "log", "-1", "--format=%s")).toBe("Keep the cents of prices");
  expect(git(worktree, "status", "--porcelain")).toBe("");
  expect(git(shop, "log", "-1", "--format=%s")).toBe("first");
  await page.context().close();
}, 240_000);
