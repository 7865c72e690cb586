import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mustFitEverySize } from "./accessible.ts";
import { SIZES } from "./sizes.ts";
import { eventually, Stage, say } from "./stage.ts";
import { use } from "./tool-use.ts";

const SERVER = fileURLToPath(new URL("../../../agent/test/mcp/programs/stdio-server.mjs", import.meta.url));
const stage = new Stage();
let sessionId = "";

beforeAll(async () => {
  const touch = use("toolu_touch", "Bash", { command: "touch made.txt" });
  await stage.open({
    talker: { steps: [], whenExhausted: { text: "Here I am." } },
    asker: { steps: [{ content: [touch] }], whenExhausted: { text: "Made." } },
  });
  // Files as Claude Code writes them for an installed plugin.
  const plugin = join(stage.folder, "plugins", "fmt");
  const files = {
    [join(stage.folder, ".claude", "settings.json")]: { enabledPlugins: { "fmt@own": true } },
    [join(stage.folder, ".claude", "plugins", "installed_plugins.json")]: {
      version: 2,
      plugins: { "fmt@own": [{ scope: "user", installPath: plugin, version: "1.0.0" }] },
    },
    [join(plugin, "hooks", "hooks.json")]: {
      hooks: { PostToolUse: [{ matcher: "Edit", hooks: [{ type: "command", command: "format.sh" }] }] },
    },
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(content));
  }
  mkdirSync(join(stage.project, ".claude"));
  const file = {
    mcpServers: { broken: { command: "/nowhere/at-all", args: ["--stdio"], env: { KEY: "s3cret" } } },
  };
  writeFileSync(join(stage.folder, ".claude.json"), JSON.stringify(file));
  const { session } = await stage.client.sessions.createSession({
    agent: "talker",
    cwd: stage.project,
    title: "Tools",
  });
  sessionId = session?.id ?? "";
}, 240_000);
afterAll(() => stage.close(), 60_000);

const open = async (page: Page, view: string, heading: string) => {
  await page.goto(`${stage.url}/#/${view}`);
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
};

test("rules can be added, tried and removed", async () => {
  const page = await stage.view(SIZES.desktop);
  await open(page, "rules", "Rules");
  await page.getByText("No rules yet").waitFor();
  const form = page.getByRole("form", { name: "New rule" });
  await form.getByRole("textbox", { name: "Rule" }).fill("Bash(");
  await form.getByRole("button", { name: "Add" }).click();
  await form.getByRole("alert").waitFor();
  await form.getByRole("textbox", { name: "Rule" }).fill("bash");
  await form.getByRole("button", { name: "Add" }).click();
  await form.getByText("no built-in tool is named bash; did you mean Bash?").waitFor();
  await page.getByRole("button", { name: "Remove bash" }).click();
  await form.getByRole("textbox", { name: "Rule" }).fill("Bash(npm test:*)");
  await form.getByRole("button", { name: "Add" }).click();
  const list = page.getByRole("list", { name: "Rules" });
  await list.getByText("Bash(npm test:*)").waitFor();
  expect(await form.getByText("no built-in tool").count()).toBe(0);
  await form.getByRole("textbox", { name: "Rule" }).fill("Bash(rm:*)");
  await form.getByRole("combobox", { name: "Action" }).selectOption("deny");
  await form.getByRole("combobox", { name: "Applies to" }).selectOption("one folder");
  await form.getByRole("combobox", { name: "Folder" }).fill(stage.project);
  await form.getByRole("button", { name: "Add" }).click();
  await list.getByText("Bash(rm:*)").waitFor();
  const trial = page.getByRole("form", { name: "What would happen to a call" });
  const outcome = async (command: string) => {
    await trial.getByRole("textbox", { name: "Command" }).fill(command);
    await trial.getByRole("button", { name: "Check" }).click();
    return trial.getByRole("status");
  };
  await (await outcome("npm test -- --watch")).getByText("It would be allowed").waitFor();
  await (await outcome("curl example.com")).getByText("You would be asked").waitFor();
  await (await outcome("npm test && rm -rf /")).getByText("It would be denied").waitFor();
  await mustFitEverySize(page, "rules");
  for (const rule of ["Bash(npm test:*)", "Bash(rm:*)"])
    await list.getByRole("button", { name: `Remove ${rule}` }).click();
  await page.getByText("No rules yet").waitFor();
  await stage.leave(page);
}, 240_000);

test("hooks can be added to the chosen file, tried and removed", async () => {
  const page = await stage.view(SIZES.desktop);
  await open(page, "hooks", "Hooks");
  const form = page.getByRole("form", { name: "New hook" });
  await form.getByRole("textbox", { name: "Matcher (tool_name)" }).fill("Edit|Write");
  await form.getByRole("textbox", { name: "Command" }).fill("npm run lint");
  await form.getByRole("combobox", { name: "For" }).selectOption("everyone in this folder");
  await form.getByRole("button", { name: "Add" }).click();
  const list = page.getByRole("list", { name: "Hooks" });
  await list.getByText("npm run lint").waitFor();
  const path = join(stage.project, ".claude", "settings.json");
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
    hooks: { PreToolUse: [{ matcher: "Edit|Write", hooks: [{ type: "command", command: "npm run lint" }] }] },
  });
  const trial = page.getByRole("form", { name: "Which hooks would run" });
  await trial.getByRole("textbox", { name: "Value of tool_name" }).fill("Write");
  await trial.getByRole("button", { name: "Check" }).click();
  await trial.getByRole("status").getByText("npm run lint").waitFor();
  // A plugin's hook is listed, but can't be removed here.
  await list.getByText("plugin fmt@own").waitFor();
  expect(await list.getByRole("button").count()).toBe(1);
  await mustFitEverySize(page, "hooks");
  await trial.getByRole("textbox", { name: "Value of tool_name" }).fill("Bash");
  await trial.getByRole("button", { name: "Check" }).click();
  await trial.getByText("No hooks would run.").waitFor();
  await list.getByRole("button", { name: "Remove npm run lint" }).click();
  await list.getByText("npm run lint").waitFor({ state: "detached" });
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ hooks: {} });
  await stage.leave(page);
}, 240_000);

test("MCP servers show their tools or errors, and can be added, reconnected and removed", async () => {
  const page = await stage.view();
  await open(page, "mcp", "MCP servers");
  const list = page.getByRole("list", { name: "MCP servers" });
  await list.getByText("/nowhere/at-all --stdio").waitFor();
  await page.getByText("No agent is running for this session").waitFor();
  expect(await page.content()).not.toContain("s3cret");
  const form = page.getByRole("form", { name: "New server" });
  await form.getByRole("textbox", { name: "Name" }).fill("helper");
  await form.getByRole("textbox", { name: "Command or URL" }).fill(`${process.execPath} ${SERVER} good`);
  await form.getByRole("textbox", { name: "Environment variables" }).fill("GREETING=hello there");
  await form.getByRole("button", { name: "Add" }).click();
  await list.getByText("helper", { exact: true }).waitFor();
  const file = JSON.parse(readFileSync(join(stage.folder, ".claude.json"), "utf8"));
  expect(file.projects[stage.project].mcpServers.helper).toEqual({
    type: "stdio",
    command: process.execPath,
    args: [SERVER, "good"],
    env: { GREETING: "hello there" },
  });
  await stage.show(page, sessionId);
  await say(page, "hello");
  await page.locator(".said", { hasText: "Here I am." }).waitFor();
  await open(page, "mcp", "MCP servers");
  const helper = list.getByRole("listitem").filter({ hasText: "helper" }).first();
  await helper.getByText("connected").waitFor();
  await helper.getByText(/^\d+ tools?$/).click();
  const broken = list.getByRole("listitem").filter({ hasText: "broken" }).first();
  await broken.getByText("failed").waitFor();
  await broken.getByText(/ENOENT|not found|no such/i).waitFor();
  await mustFitEverySize(page, "mcp");
  await helper.getByRole("button", { name: "Reconnect helper" }).click();
  await helper.getByText("connected").waitFor();
  await helper.getByRole("button", { name: "Remove helper" }).click();
  await eventually(() => list.getByText("helper", { exact: true }).count()).toBe(0);
  await stage.leave(page);
}, 240_000);

test("users watching the same session see who else is watching or typing, and who decided", async () => {
  const { page: one, id } = await stage.tab("asker");
  expect(await one.locator(".watchers").count()).toBe(0);
  const other = await stage.view({ ...SIZES.phone, sessionId: id });
  await one.locator(".watchers", { hasText: /^ web-\w+-\w+ is watching$/ }).waitFor();
  await other.getByRole("textbox", { name: "Prompt" }).pressSequentially("I have an idea");
  await one.locator(".watchers", { hasText: /^ web-\w+-\w+ is typing$/ }).waitFor();
  await mustFitEverySize(one, "watchers");
  await other.getByRole("textbox", { name: "Prompt" }).press("Enter");
  await other.getByRole("button", { name: "Allow once" }).click();
  await other.locator(".decided", { hasText: /^allowed by you$/ }).waitFor();
  await one.locator(".decided", { hasText: /^allowed by web-\w+-\w+$/ }).waitFor();
  await mustFitEverySize(one, "decided");
  await stage.leave(other);
  await eventually(() => one.locator(".watchers").count()).toBe(0);
  await stage.leave(one);
}, 240_000);
