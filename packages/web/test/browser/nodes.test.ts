import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { NodeService, SessionService } from "@agentwire/api";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { runMark } from "../../../../test/run-mark.ts";
import { newDatabase } from "../../../daemon/test/postgres/database.ts";
import { mustFitEverySize } from "./accessible.ts";
import { eventually, Stage, say } from "./stage.ts";

const PROGRAM = fileURLToPath(new URL("../../../cli/bin/agentwire", import.meta.url));
const TALKER = {
  steps: [],
  whenExhausted: { text: "Counting: one, two, three.", chunkDelay: 20, chunkSize: 2 },
};

const stage = new Stage();
/** The node that does not serve the console. */
let other: ChildProcess;
let otherAddress = "";

beforeAll(async () => {
  const store = { url: await newDatabase() };
  const clusterOf = (name: string) => ({ name, shared_folders: [stage.project] });
  await stage.open({ talker: TALKER }, { store, cluster: clusterOf("alder") });
  const folder = join(stage.folder, "birch");
  mkdirSync(folder, { mode: 0o700 });
  const agent = fileURLToPath(new URL("../../../agent/bin/agentwire-agent", import.meta.url));
  const settings = {
    daemon: { spare_processes: 0, trusted_folders: [stage.folder] },
    store,
    cluster: clusterOf("birch"),
    agents: { talker: { path: agent, env: { AGENTWIRE_SCRIPT: join(stage.folder, "talker.json") } } },
  };
  writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
  const env = { ...runMark(), PATH: process.env.PATH, HOME: stage.folder, AGENTWIRE_HOME: folder };
  const command = [PROGRAM, "daemon", "start", "--foreground", "--json", "--port=0"];
  other = spawn(process.execPath, command, { cwd: stage.project, env, stdio: ["ignore", "pipe", "ignore"] });
  if (!other.stdout) throw new Error("its output is missing");
  const [line] = (await once(createInterface({ input: other.stdout }), "line")) as [string];
  otherAddress = (JSON.parse(line) as { addresses: string[] }).addresses[1] ?? "";
  // The content security policy allows only the nodes known when the page was loaded.
  await vi.waitFor(
    async () =>
      expect((await fetch(stage.url)).headers.get("content-security-policy")).toContain(otherAddress),
    60_000,
  );
}, 240_000);
afterAll(async () => {
  await stage.close();
  const ended = other.exitCode === null ? once(other, "exit") : undefined;
  other.kill("SIGTERM");
  await ended;
}, 60_000);

const panel = (page: Page, name: string) => page.getByRole("region", { name });

test("the nodes page lists nodes with their sessions, moves a session and drains a node; the console moves to another node when its own is killed", async () => {
  const { page, id } = await stage.session("talker");
  await page.goto(`${stage.url}/#/nodes`);
  await panel(page, "alder").getByText("serves this page").waitFor();
  await panel(page, "birch").getByText("0 of 20").waitFor();
  expect(await panel(page, "birch").getByText("up").count()).toBe(1);
  await panel(page, "birch").getByText(otherAddress).waitFor();
  await mustFitEverySize(page, "nodes");
  await panel(page, "alder").getByLabel("Move talker").selectOption({ label: "birch" });
  await page.getByText("“talker” is now on birch.").waitFor();
  await panel(page, "birch").getByRole("link", { name: "talker" }).waitFor();
  expect((await stage.client.sessions.getSession({ sessionId: id })).session?.node).toBe(
    (await stage.connect(NodeService).listNodes({})).nodes.find(({ name }) => name === "birch")?.id,
  );
  await panel(page, "alder").getByRole("button", { name: "Drain alder" }).click();
  await panel(page, "alder").getByText("draining").waitFor();

  await stage.show(page, id);
  await say(page, "count");
  await page.locator(".said", { hasText: "Counting" }).waitFor();
  await stage.killDaemon("SIGKILL");
  await page.locator(".said", { hasText: "one, two, three." }).waitFor();
  await say(page, "again");
  await eventually(() => page.locator(".said", { hasText: "one, two, three." }).count()).toBe(2);
  expect(await page.getByText("The daemon does not answer").count()).toBe(0);
  const transport = createConnectTransport({
    ...{ baseUrl: "http://localhost", httpVersion: "1.1" as const },
    nodeOptions: { socketPath: join(stage.folder, "birch", "daemon.sock") },
  });
  const { events } = await createClient(SessionService, transport).listEvents({
    sessionId: id,
    pageSize: 1000,
  });
  expect(events.flatMap(({ body }) => (body.case === "userInput" ? [body.value.text] : []))).toEqual([
    "count",
    "again",
  ]);
  await page.goto("about:blank");
  await stage.startDaemon();
  await page.context().close();
}, 240_000);

/** The HTTP status of a request to the other node. */
async function statusFor(method: string, headers: Record<string, string>): Promise<number | undefined> {
  const asked = request(`${otherAddress}/agentwire.v1.NodeService/ListNodes`, { method, headers });
  asked.end(method === "POST" ? "{}" : undefined);
  const [answer] = await once(asked, "response");
  answer.resume();
  return answer.statusCode;
}

test("a node answers only consoles served by other nodes, and only with a pass", async () => {
  const { pass } = await stage.connect(NodeService).getPass({});
  const json = { "content-type": "application/json" };
  const proven = { ...json, authorization: `Bearer ${pass}` };
  const cross = { "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" };
  const home = { origin: stage.url, ...cross };
  await eventually(() => statusFor("OPTIONS", { ...home, "access-control-request-method": "POST" })).toBe(
    204,
  );
  expect(await statusFor("POST", { ...home, ...proven })).toBe(200);
  expect(await statusFor("POST", { ...home, ...json })).toBe(403);
  expect(await statusFor("POST", { ...home, ...json, authorization: `Bearer ${pass}x` })).toBe(401);
  expect(await statusFor("GET", { ...home, ...proven })).toBe(403);
  for (const origin of ["https://evil.example", "http://127.0.0.1:1", "null", `${stage.url}.evil.example`]) {
    expect(await statusFor("OPTIONS", { origin, ...cross, "access-control-request-method": "POST" })).toBe(
      403,
    );
    expect(await statusFor("POST", { origin, ...cross, ...proven })).toBe(403);
  }
}, 60_000);
