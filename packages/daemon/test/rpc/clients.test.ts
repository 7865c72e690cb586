import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  EventSchema,
  HealthService,
  QuestionService,
  RuleService,
  SessionService,
  SessionStatus,
} from "@agentwire/api";
import { silentLog } from "@agentwire/protocol/support";
import { fromBinary, toJsonString } from "@bufbuild/protobuf";
import { type Client, createClient } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultConfig } from "../../src/config.ts";
import { type RunningDaemon, startDaemon } from "../../src/start.ts";

let folder: string;
let running: RunningDaemon;
let url: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-daemon-"));
  const env = { PATH: process.env.PATH, HOME: folder, AGENTWIRE_HOME: join(folder, "state") };
  running = await startDaemon({ ...defaultConfig(env, folder), port: 0 }, silentLog);
  url = running.addresses[1] ?? "";
});
afterAll(async () => {
  await running.stop();
  rmSync(folder, { recursive: true });
});

const bearer = () => ({ authorization: `Bearer ${running.token}` });
const withToken = (next: (request: never) => Promise<never>) => (request: { header: Headers }) => {
  for (const [name, value] of Object.entries(bearer())) request.header.set(name, value);
  return next(request as never);
};
const options = () => ({ baseUrl: url, interceptors: [withToken as never] });
const transports = {
  "Connect over HTTP/1": () => createConnectTransport({ ...options(), httpVersion: "1.1" }),
  "Connect over HTTP/2": () => createConnectTransport({ ...options(), httpVersion: "2" }),
  gRPC: () => createGrpcTransport(options()),
  "gRPC-Web": () => createGrpcWebTransport({ ...options(), httpVersion: "1.1" }),
};

async function talk(client: Client<typeof SessionService>, prompt: string): Promise<string[]> {
  const { session } = await client.createSession({ cwd: folder });
  const sessionId = session?.id ?? "";
  await client.sendPrompt({ sessionId, text: prompt });
  const seen: string[] = [];
  for await (const { events } of client.watch({ sessionId }))
    for (const { body } of events) {
      seen.push(body.case ?? "");
      if (body.case === "statusChange" && body.value.status === SessionStatus.IDLE) return seen;
    }
  return seen;
}

describe.each(Object.entries(transports))("%s", (_, transport) => {
  test("creates a session, sends a prompt and watches the turn to its end", async () => {
    const seen = await talk(createClient(SessionService, transport()), "hello");
    expect(seen).toContain("text");
    expect(seen).toContain("turnComplete");
  }, 30_000);

  test("receives failures with code and text", async () => {
    const client = createClient(SessionService, transport());
    await expect(client.getSession({ sessionId: "none" })).rejects.toMatchObject({
      rawMessage: expect.stringContaining("SESSION_NOT_FOUND"),
    });
  });

  test("has its watch counted and given a request id like any other call", async () => {
    const client = createClient(SessionService, transport());
    const { session } = await client.createSession({ cwd: folder });
    const before = await watches();
    let id = "";
    const onHeader = (header: Headers) => {
      id = header.get("x-request-id") ?? "";
    };
    const leaving = new AbortController();
    const how = { onHeader, signal: leaving.signal };
    for await (const { caughtUp } of client.watch({ sessionId: session?.id ?? "" }, how)) {
      expect(caughtUp).toBe(true);
      break;
    }
    leaving.abort();
    expect(id).toMatch(/^[\w-]{36}$/);
    await expect.poll(watches).toBe(before + 1);
  });
});

/** The number of ended watches, as counted by the daemon. */
async function watches(): Promise<number> {
  const text = await (await fetch(`${url}/metrics`, { headers: bearer() })).text();
  const counts = text.matchAll(/^agentwire_rpc_seconds_count\{method="[\w.]+\/Watch",.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

test("clients of every protocol that watch one session receive the same events", async () => {
  const [first, ...others] = Object.values(transports).map((make) => createClient(SessionService, make()));
  if (!first) throw new Error("there is no client");
  const { session } = await first.createSession({ cwd: folder });
  const sessionId = session?.id ?? "";
  const watching = [first, ...others].map(async (client) => {
    const seen: string[] = [];
    for await (const { events } of client.watch({ sessionId }))
      for (const event of events) {
        seen.push(toJsonString(EventSchema, event));
        if (event.body.case === "turnComplete") return seen;
      }
    return seen;
  });
  await first.sendPrompt({ sessionId, text: "hello" });
  const [one, ...more] = await Promise.all(watching);
  expect(one?.length).toBeGreaterThan(5);
  for (const other of more) expect(other).toEqual(one);
}, 30_000);

describe("curl", () => {
  const curl = async (...args: string[]) =>
    JSON.parse(
      (await promisify(execFile)("curl", ["-sS", "-H", "content-type: application/json", ...args])).stdout,
    );

  test("exchanges JSON over the socket file", async () => {
    const { session } = await curl(
      "--unix-socket",
      running.addresses[0] ?? "",
      "http://localhost/agentwire.v1.SessionService/CreateSession",
      "-d",
      JSON.stringify({ cwd: folder, title: "by curl" }),
    );
    expect(session).toMatchObject({ title: "by curl", status: "SESSION_STATUS_IDLE" });
  });
});

describe("the port", () => {
  const get = (headers: Record<string, string>) =>
    fetch(`${url}/agentwire.v1.HealthService/GetVersion`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: "{}",
    });

  test("answers clients with the token", async () => {
    expect(await (await get(bearer())).json()).toEqual({ version: "0.1.0", api: "agentwire.v1" });
  });

  test.each([
    ["no token", {}, 401],
    ["a wrong token", { authorization: "Bearer nonsense" }, 401],
    ["a foreign page", { origin: "https://evil.example" }, 403],
  ])("refuses %s", async (_, headers, status) => {
    expect(
      (await get({ ...(status === 403 && bearer()), ...headers } as Record<string, string>)).status,
    ).toBe(status);
  });

  test("has a socket file beside it that only its owner can open", () => {
    expect(statSync(running.addresses[0] ?? "").mode & 0o777).toBe(0o600);
  });
});

describe("a permission question", () => {
  test("is listed, decided once, and saved as a rule that decides the next one", async () => {
    const transport = transports["Connect over HTTP/2"]();
    const [sessions, questions, rules] = [
      createClient(SessionService, transport),
      createClient(QuestionService, transport),
      createClient(RuleService, transport),
    ];
    const { session } = await sessions.createSession({ cwd: folder, prompt: "run touch a-file" });
    const sessionId = session?.id ?? "";
    for await (const { events } of sessions.watch({ sessionId })) {
      if (events.some(({ body }) => body.case === "permissionAsked")) break;
    }
    const { questions: open } = await questions.listQuestions({ sessionId });
    expect(open).toHaveLength(1);
    const allow = { lasting: { case: "sessionRule", value: "Bash(touch *)" } } as const;
    const request = { questionId: open[0]?.id ?? "", decision: { case: "allow", value: allow } } as const;
    expect((await questions.decide(request)).decidedNow).toBe(true);
    expect((await questions.decide(request)).decidedNow).toBe(false);
    const inputJson = JSON.stringify({ command: "touch another" });
    const explained = await rules.explain({ sessionId, toolName: "Bash", inputJson });
    expect(explained.rule?.rule).toBe("Bash(touch *)");
  }, 30_000);
});

test("health reports sessions, processes and the store", async () => {
  const client = createClient(HealthService, transports.gRPC());
  const health = await client.healthDetails({});
  expect(health.store?.state).toBe("ok");
  expect(health.sessions?.total).toBeGreaterThan(0);
  expect(Number(health.store?.events)).toBeGreaterThan(0);
  // A process started for another test may exit between the two reads.
  const isSame = async () => (await client.healthDetails({})).processes?.warm === running.daemon.runner.warm;
  await expect.poll(isSame).toBe(true);
});

test("stored events equal the events that were sent", async () => {
  const client = createClient(SessionService, transports.gRPC());
  const { sessions } = await client.listSessions({ pageSize: 1, search: "hello" });
  const id = sessions[0]?.id ?? "";
  const { events } = await client.listEvents({ sessionId: id });
  const stored = await running.daemon.store.events.after(id, 0, 1000);
  expect(events).toEqual(stored.map(({ body }) => fromBinary(EventSchema, body)));
});
