import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { AuditService, TokenService } from "@agentwire/api";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, Stage } from "./stage.ts";

/** Another server on this machine; its pages and the server itself attack the daemon. */
let foreign: Server;
let foreignUrl: string;
const heard: IncomingMessage[] = [];
const stage = new Stage();
let page: Page;
beforeAll(async () => {
  foreign = createServer((request, response) => {
    heard.push(request);
    response.setHeader("content-type", "text/html");
    response.end("<!doctype html><title>foreign</title><p>something of interest");
  });
  foreign.listen(0, "127.0.0.1");
  await Promise.all([
    once(foreign, "listening"),
    stage.open({ talker: { whenExhausted: { text: "There is nothing else to say." } } }),
  ]);
  foreignUrl = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
  page = await stage.page();
}, 240_000);
afterAll(async () => {
  await stage.close();
  foreign.close();
}, 60_000);

/** Opens a page of the other server in the signed-in browser. */
async function visit(): Promise<Page> {
  const visited = await page.context().newPage();
  await visited.goto(foreignUrl);
  return visited;
}

const CREATE = "/agentwire.v1.TokenService/CreateToken";
const ADMIN = JSON.stringify({ name: "stolen", scope: "ACCESS_SCOPE_ADMIN" });
const tokens = async () => (await stage.connect(TokenService).listTokens({})).tokens.map(({ name }) => name);

/** Runs a script in a page, with the given values as constants. */
const run = (visited: Page, values: Readonly<Record<string, string>>, script: string): Promise<unknown> => {
  const known = Object.entries(values).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`);
  return visited.evaluate(`(async () => { ${known.join(" ")} ${script} })()`);
};

test("a server at another port receives the cookie, but can't use it", async () => {
  const visited = await visit();
  const cookie = heard.at(-1)?.headers.cookie ?? "";
  // Browsers don't separate cookies by port, which is why the proof is needed.
  expect(cookie).toMatch(/^agentwire-\d+=/);
  for (const proof of ["", cookie.split("=")[1] ?? "", "x.y"]) {
    const headers = {
      "content-type": "application/json",
      "agentwire-sign-in": proof,
      "sec-fetch-site": "same-origin",
      origin: stage.url,
      cookie,
    };
    const answer = await fetch(stage.url + CREATE, { method: "POST", headers, body: ADMIN });
    expect(answer.status).toBe(401);
    expect((await fetch(`${stage.url}/metrics`, { headers })).status).toBe(401);
  }
  expect(await tokens()).toEqual([]);
  await visited.close();
}, 240_000);

test("a page from another port can read neither the console's storage nor the daemon's answers", async () => {
  const visited = await visit();
  const held = await visited.evaluate(
    "document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })",
  );
  expect(held).toBe("{}");
  const tried = await run(
    visited,
    { url: stage.url, rpc: stage.url + CREATE, body: ADMIN },
    `const outcome = (work) => work.then(JSON.stringify, (error) => error.name);
    const send = (options) => fetch(rpc, { method: "POST", credentials: "include", body, ...options });
    const json = { "content-type": "application/json" };
    return {
      json: await outcome(send({ headers: json })),
      proof: await outcome(send({ headers: { ...json, "agentwire-sign-in": "x" } })),
      plain: await outcome(send({ mode: "no-cors" }).then(({ type }) => type)),
      page: await outcome(fetch(url, { credentials: "include" }).then((answer) => answer.text())),
      beacon: navigator.sendBeacon(rpc, new Blob([body], { type: "text/plain" })),
    };`,
  );
  expect(tried).toEqual({
    json: "TypeError",
    proof: "TypeError",
    // Sent and refused, with an opaque answer; or not sent at all.
    plain: expect.stringMatching(/^(?:"opaque"|TypeError)$/),
    page: "TypeError",
    beacon: true,
  });
  expect(await tokens()).toEqual([]);
  await visited.close();
}, 240_000);

test("a page from another port can't post a form to the daemon", async () => {
  for (const [path, type] of [
    [CREATE, "text/plain"],
    ["/sign-in", "application/x-www-form-urlencoded"],
  ] as const) {
    const visited = await visit();
    const answered = visited.waitForResponse((response) => response.url() === stage.url + path, {
      timeout: 120_000,
    });
    // Submitted after the script has ended: if the page navigates during a script, its end may never be reported.
    await run(
      visited,
      { action: stage.url + path, enctype: type, name: ADMIN },
      `const form = Object.assign(document.createElement("form"), { action, enctype, method: "post" });
      form.append(Object.assign(document.createElement("input"), { name }));
      document.body.append(form);
      setTimeout(() => form.submit());`,
    );
    // The page is closed with its browser: closing it while the answer arrives may hang.
    expect((await answered).status()).toBe(403);
  }
  expect(await tokens()).toEqual([]);
}, 240_000);

test("a page from another port can't frame the console, load its scripts, or keep a handle to its window", async () => {
  const visited = await visit();
  const complaints: string[] = [];
  visited.on("console", (message) => complaints.push(message.text()));
  await run(
    visited,
    { src: stage.url },
    `const frame = Object.assign(document.createElement("iframe"), { src });
    document.body.append(frame);
    await new Promise((resolve) => frame.addEventListener("load", resolve));`,
  );
  await eventually(() => complaints.join("\n")).toMatch(/frame-ancestors|refused to frame|Framing/i);
  const framed = visited.frames().filter((frame) => frame !== visited.mainFrame());
  expect(framed.filter((frame) => frame.url().startsWith(stage.url))).toEqual([]);

  const script = String(await page.evaluate("document.querySelector('script').src"));
  expect(script).toContain("/assets/");
  const loaded = await run(
    visited,
    { src: script },
    `return new Promise((resolve) => {
      const [onload, onerror] = [() => resolve("ran"), () => resolve("refused")];
      document.body.append(Object.assign(document.createElement("script"), { src, onload, onerror }));
    });`,
  );
  expect(loaded).toBe("refused");

  const [opened] = await Promise.all([
    visited.context().waitForEvent("page"),
    run(visited, { url: stage.url }, "window.theirs = window.open(url);"),
  ]);
  await opened.getByRole("link", { name: "New session" }).first().waitFor();
  // The console is no longer in the opener's browsing context group.
  expect(await visited.evaluate("window.theirs.closed")).toBe(true);
  expect(await opened.evaluate("window.opener")).toBe(null);
  await opened.close();
  await visited.close();
}, 240_000);

test("a page from another port can't open an event stream or a WebSocket", async () => {
  const visited = await visit();
  const tried = await run(
    visited,
    { url: stage.url, host: new URL(stage.url).host },
    `const first = (source) => new Promise((resolve) => {
      for (const type of ["open", "message", "error"]) source.addEventListener(type, () => resolve(type));
    });
    const service = "/agentwire.v1.SessionService";
    return Promise.all([
      first(new WebSocket("ws://" + host + "/")),
      first(new WebSocket("ws://" + host + service + "/Converse")),
      first(new EventSource(url + service + "/Watch", { withCredentials: true })),
      first(new EventSource(url + "/metrics", { withCredentials: true })),
    ]);`,
  );
  expect(tried).toEqual(["error", "error", "error", "error"]);
  await visited.close();
}, 240_000);

test("a sign-in survives a reload, and applies to other tabs, including one that shows the sign-in page", async () => {
  await page.reload();
  await page.getByRole("link", { name: "New session" }).first().waitFor();
  const other = await page.context().newPage();
  await other.goto(stage.url);
  await other.getByRole("link", { name: "New session" }).first().waitFor();
  await other.close();

  const waiting = await stage.stranger();
  await waiting.goto(stage.url);
  await waiting.getByRole("button", { name: "Sign in" }).waitFor();
  const beside = await waiting.context().newPage();
  await beside.goto(stage.link);
  await waiting.getByRole("link", { name: "New session" }).first().waitFor();
  await waiting.context().close();
}, 240_000);

test("the audit log lists only the legitimate sign-ins", async () => {
  const { entries } = await stage.connect(AuditService).listAuditEntries({ kind: "login", pageSize: 100 });
  const actions = entries.map(({ action }) => action);
  expect(new Set(actions)).toEqual(new Set(["link made", "browser signed in", "let in"]));
}, 60_000);
