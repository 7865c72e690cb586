import { PushService } from "@agentwire/api";
import type { Page, Worker } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mustFitEverySize } from "./accessible.ts";
import { PushReceiver } from "./push-receiver.ts";
import { SIZES } from "./sizes.ts";
import { eventually, Stage, say } from "./stage.ts";
import { use } from "./tool-use.ts";

const stage = new Stage();
const receiver = new PushReceiver(stage.folder);
const touch = (file: string) => use(`toolu_${file}`, "Bash", { command: `touch ${file}` });

beforeAll(async () => {
  await receiver.open();
  stage.env.NODE_EXTRA_CA_CERTS = receiver.authority;
  const daemon = { spare_processes: 0, trusted_folders: [stage.folder], push_hosts: [receiver.host] };
  const asker = { steps: [{ content: [touch("a")] }, { text: "Made." }] };
  const denied = { steps: [{ content: [touch("b")] }, { text: "Not made." }] };
  await stage.open({ asker, denied }, { daemon });
}, 240_000);
afterAll(async () => {
  await stage.close();
  await receiver.close();
}, 60_000);

const subscription = () => ({ endpoint: receiver.endpoint, p256dh: receiver.p256dh, auth: receiver.auth });
const notices = () => receiver.received.map(({ text }) => JSON.parse(text));

/** The console's service worker in a page's browser, and a function that delivers a push message to it. */
async function workerOf(page: Page): Promise<{ worker: Worker; push: (data: string) => Promise<void> }> {
  await page.context().grantPermissions(["notifications"], { origin: stage.url });
  const session = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId);
    });
  });
  await session.send("ServiceWorker.enable");
  await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)");
  const registrationId = await registered;
  await eventually(() => page.context().serviceWorkers().length).toBe(1);
  const [worker] = page.context().serviceWorkers();
  await worker?.evaluate(NOTE);
  return {
    worker: worker as Worker,
    push: async (data) => {
      await session.send("ServiceWorker.deliverPushMessage", { origin: stage.url, registrationId, data });
    },
  };
}

/** Headless browsers show no notifications, so those of the worker are recorded instead. */
const NOTE = `self.shown = [];
  registration.showNotification = async (title, { body, data, actions = [] }) => {
    self.shown = [{ title, body, data, actions: actions.map(({ action }) => action) }];
  }`;

/** Simulates a click on the shown notification, or on one of its buttons. */
const click = (worker: Worker, action: string) =>
  worker.evaluate(`{
    const [{ data }] = self.shown;
    const notification = { data, close: () => { self.shown = []; } };
    dispatchEvent(Object.assign(new ExtendableEvent("notificationclick"), { notification, action: ${JSON.stringify(action)} }));
  }`);

test("questions and ends of turns are pushed, and a question can be answered from its notification", async () => {
  const push = stage.connect(PushService);
  await push.subscribe({ ...subscription(), wishes: { asks: true, failed: true, done: true } });
  await push.testPush({ endpoint: receiver.endpoint });
  expect(notices()).toMatchObject([{ kind: "test", body: "Notifications arrive on this device." }]);
  expect(receiver.received[0]?.headers).toMatchObject({
    "content-encoding": "aes128gcm",
    urgency: "high",
    ttl: "60",
  });

  const { page, id } = await stage.session("asker", SIZES.phone);
  const { worker, push: deliver } = await workerOf(page);
  await say(page, "make a");
  await eventually(() => notices().length).toBe(2);
  const [, asked] = notices();
  expect(asked).toMatchObject({ kind: "asks", title: "asker asks", body: "Bash: touch a", sessionId: id });
  // No notification is shown while the session is in view on this device.
  await deliver(JSON.stringify(asked));
  await page.goto(`${stage.url}/#/`);
  await deliver(JSON.stringify(asked));
  await eventually(() => worker.evaluate("self.shown")).toEqual([
    {
      title: "asker asks",
      body: "Bash: touch a",
      data: { sessionId: id, questionId: asked.questionId },
      actions: ["allow", "deny"],
    },
  ]);
  // The worker does not have the sign-in yet.
  await click(worker, "allow");
  await eventually(() => worker.evaluate("self.shown")).toMatchObject([
    { title: "Not answered", body: "This browser is no longer signed in." },
  ]);
  await page.evaluate("localStorage.setItem('agentwire-push', 'on')");
  await page.reload();
  await page.getByRole("link", { name: "New session" }).first().waitFor();
  await eventually(() => page.evaluate(KEPT)).toMatch(/^web-\w+-push$/);
  await deliver(JSON.stringify(asked));
  await eventually(() => worker.evaluate("self.shown")).toMatchObject([{ title: "asker asks" }]);
  await click(worker, "allow");
  await eventually(() => notices().at(-1)).toMatchObject({
    kind: "done",
    title: "asker is done",
    sessionId: id,
  });
  await stage.show(page, id);
  await page.locator(".said", { hasText: "Made." }).waitFor();
  await page.locator(".decided", { hasText: "allowed by you" }).waitFor({ state: "attached" });

  // A click on the notification itself opens the session without reloading the page.
  await page.goto(`${stage.url}/#/`);
  await page.evaluate("window.isSame = true");
  await deliver(JSON.stringify(notices().at(-1)));
  await eventually(() => worker.evaluate("self.shown")).toMatchObject([
    { title: "asker is done", actions: [] },
  ]);
  await click(worker, "");
  await page.waitForURL(`**/#/session/${id}`);
  expect(await page.evaluate("window.isSame")).toBe(true);

  // A subscription that the push service reports as gone is removed.
  receiver.status = 410;
  await expect(push.testPush({ endpoint: receiver.endpoint })).rejects.toThrow("ended this subscription");
  await expect(push.testPush({ endpoint: receiver.endpoint })).rejects.toThrow("no such subscription");
  await page.context().close();
}, 240_000);

const KEPT = `new Promise((resolve) => {
  const opening = indexedDB.open("agentwire", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("worker");
  opening.onsuccess = () => {
    const reading = opening.result.transaction("worker").objectStore("worker").get("sign-in");
    reading.onsuccess = () => { opening.result.close(); resolve(reading.result?.client ?? ""); };
  };
})`;

test("the device page says why notifications fail and changes the density, and the console can be installed", async () => {
  const page = await stage.page(SIZES.desktop);
  await page.context().grantPermissions(["notifications"], { origin: stage.url });
  await page.goto(`${stage.url}/#/device`);
  await page.getByRole("button", { name: "Turn on" }).click();
  // Without a network, no push service can be reached.
  await page.getByRole("alert").filter({ hasText: "push service can't be used" }).waitFor();
  await mustFitEverySize(page, "device");
  const size = () => page.evaluate("getComputedStyle(document.documentElement).fontSize");
  expect(await size()).toBe("15px");
  await page.getByRole("radio", { name: /^Compact/ }).check();
  expect(await size()).toBe("13px");
  await page.reload();
  await page.getByRole("radio", { name: /^Compact/ }).waitFor();
  expect(await size()).toBe("13px");
  const session = await page.context().newCDPSession(page);
  const { errors, url } = await session.send("Page.getAppManifest");
  expect(new URL(url).pathname).toBe("/manifest.webmanifest");
  expect(errors).toEqual([]);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  expect(installabilityErrors).toEqual([]);
  await page.context().close();
}, 240_000);

test("a swipe goes from one session with a question to the next", async () => {
  const begin = async (title: string) => {
    const { session } = await stage.client.sessions.createSession({
      ...{ agent: "denied", cwd: stage.project, title, prompt: "make b" },
    });
    return session?.id ?? "";
  };
  const ids = [await begin("First"), await begin("Second")];
  await eventually(async () => (await stage.client.questions.listQuestions({})).questions.length).toBe(2);
  const page = await stage.page(SIZES.phone);
  await stage.show(page, ids[0] ?? "");
  await page.getByRole("link", { name: "Another session has a question" }).waitFor();
  const swipe = (from: number, to: number) =>
    page.evaluate(`{
      const target = document.querySelector(".session-head h1");
      const touch = (clientX) => new Touch({ identifier: 1, target, clientX, clientY: 30 });
      target.dispatchEvent(new TouchEvent("touchstart", { bubbles: true, touches: [touch(${from})] }));
      target.dispatchEvent(new TouchEvent("touchend", { bubbles: true, changedTouches: [touch(${to})] }));
    }`);
  await swipe(300, 260);
  expect(page.url()).toContain(ids[0]);
  await swipe(300, 100);
  await page.waitForURL(`**/${ids[1]}`);
  await page.getByRole("heading", { name: "Second" }).waitFor();
  await page.getByRole("link", { name: "Another session has a question" }).tap();
  await page.getByRole("heading", { name: "First" }).waitFor();
  await page.context().close();
}, 240_000);
