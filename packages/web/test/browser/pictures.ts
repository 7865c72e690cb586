import { mkdirSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SessionStatus } from "@agentwire/api";
import type { Page } from "playwright-core";
import { expect, vi } from "vitest";
import { fillUsage } from "./fill-usage.ts";
import type { Stage } from "./stage.ts";

const GIVEN = process.env.AGENTWIRE_SCREENSHOTS ?? "";
/** Whether to take all pictures, into a given folder. */
const WANTS_ALL = isAbsolute(GIVEN);
/** The folder for pictures; undefined if none are wanted. By default that of the documentation. */
const FOLDER = WANTS_ALL
  ? GIVEN
  : GIVEN
    ? fileURLToPath(new URL("../../../../docs/images/", import.meta.url))
    : undefined;

/** The pictures used in the documentation. */
const WANTED = new Set([
  "session-asks",
  "session-asks-dark",
  "session-done",
  "health",
  "usage-dark",
  "phone-session",
  "phone-list-dark",
  "desktop-changes",
  "laptop-search",
  "laptop-file-tree",
  "laptop-rewind-conversation",
  "laptop-new-session",
  "desktop-rules",
  "day-3-comment",
]);

/** Script that replaces paths of this machine and client names, which should not appear in pictures. */
const HIDE = `
  for (const path of document.querySelectorAll(".agents .path")) path.textContent = "/usr/local/bin/agentwire-agent";
  for (const by of document.querySelectorAll(".byline, .audit td:last-child"))
    for (const node of by.childNodes) if (/^web-/.test(node.textContent)) node.textContent = "web-5f2c1a";
  const hidden = (text) => text.replace(/\\/\\S*agentwire-web-\\w+/g, "/home/me").replace(/web-[0-9a-f]{6}-\\w{3}/g, "web-5f2c1a");
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode())
    if (hidden(texts.currentNode.data) !== texts.currentNode.data) texts.currentNode.data = hidden(texts.currentNode.data);
  for (const field of document.querySelectorAll("input")) {
    if (hidden(field.value) !== field.value) field.value = hidden(field.value);
    if (hidden(field.placeholder) !== field.placeholder) field.placeholder = hidden(field.placeholder);
  }
`;

/** Takes a screenshot of a page, if a picture of that name is wanted. */
export async function picture(page: Page, name: string): Promise<void> {
  if (FOLDER === undefined || !(WANTS_ALL || WANTED.has(name))) return;
  await page.evaluate(HIDE);
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: "disabled" });
}

/** Creates sessions and usage, so that pictures show a console in use. */
export async function populate(stage: Stage): Promise<void> {
  if (FOLDER === undefined) return;
  mkdirSync(FOLDER, { recursive: true });
  const begin = async (agent: string, title: string, model = "") => {
    const { session } = await stage.client.sessions.createSession({
      agent,
      title,
      model,
      cwd: stage.project,
      prompt: title,
    });
    return session?.id ?? "";
  };
  const ids = await Promise.all([
    begin("writer", "Write the release notes"),
    begin("writer", "Explain the retry loop"),
    begin("writer", "Name the flaky tests"),
  ]);
  await begin("local", "Translate the manual", "home-made-1");
  await inStatus(stage, SessionStatus.IDLE, 4);
  await stage.killDaemon("SIGTERM");
  await fillUsage(stage.store, ids);
  await stage.startDaemon();
  await begin("upgrader", "Upgrade the linter");
  await begin("talker", "Review the parser");
  await inStatus(stage, SessionStatus.ASKING, 1);
  await inStatus(stage, SessionStatus.RUNNING, 1);
}

const inStatus = (stage: Stage, status: SessionStatus, count: number) =>
  vi.waitFor(async () => {
    const { sessions } = await stage.client.sessions.listSessions({ statuses: [status] });
    expect(sessions).toHaveLength(count);
  }, 30_000);
