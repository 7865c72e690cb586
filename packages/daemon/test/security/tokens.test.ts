import { rmSync } from "node:fs";
import { SessionService } from "@agentwire/api";
import { Code, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMMAND_SCOPES, RPC_SCOPES } from "../../src/access/rpc-scopes.ts";
import { covers, SCOPES, type Scope } from "../../src/access/scope.ts";
import { SERVICES } from "../../src/rpc/routes.ts";
import { openVictim, type Victim } from "./victim.ts";

const VERSION = "/agentwire.v1.HealthService/GetVersion";
const ALL = Object.keys(SCOPES) as Scope[];

let victim: Victim;
let secrets: ReadonlyMap<Scope, string>;
beforeAll(async () => {
  victim = await openVictim();
  secrets = new Map(
    await Promise.all(ALL.map(async (scope) => [scope, (await victim.token(scope)).secret] as const)),
  );
});
afterAll(() => victim.end());

const bearing = (secret: string) => ({ authorization: `Bearer ${secret}` });
const call = (path: string, scope: Scope) => victim.post(path, bearing(secrets.get(scope) ?? ""));

test("every RPC has a scope, and there are no other scopes", () => {
  const offered = SERVICES.flatMap(({ typeName, methods }) =>
    methods.map(({ name }) => `/${typeName}/${name}`),
  );
  expect([...RPC_SCOPES.keys()].sort()).toEqual(offered.sort());
});

describe.each([...RPC_SCOPES])("%s needs %s", (path, needed) => {
  test.each(ALL)("and accepts or refuses a token with the scope %s accordingly", async (scope) => {
    const { status, body } = await call(path, scope);
    if (covers(scope, needed)) expect([401, 403, 429]).not.toContain(status);
    else {
      expect(status).toBe(403);
      expect(JSON.parse(body)).toEqual({
        code: "permission_denied",
        message: `FORBIDDEN: this requires the scope ${needed}; yours is ${scope}`,
      });
    }
  });
});

test.each([
  ["/metrics?x", "observe"],
  [`${VERSION}?x=/metrics`, "observe"],
  ["/agentwire.v1.AdminService/Backup?x", "admin"],
] as const)("the query of %s does not change the scope it needs: %s", async (path, needed) => {
  const below = ALL.filter((scope) => !covers(scope, needed));
  for (const scope of below) expect((await call(path, scope)).status).toBe(403);
  expect((await call(path, needed)).status).not.toBe(403);
});

describe("the port", () => {
  test.each<[string, () => Record<string, string>]>([
    ["no token", () => ({})],
    ["an empty token", () => ({ authorization: "Bearer " })],
    ["another scheme", () => ({ authorization: `Basic ${victim.running.token}` })],
    ["a word before the scheme", () => ({ authorization: `x Bearer ${victim.running.token}` })],
    ["a token in the URL", () => ({})],
    ["a token as a cookie", () => ({ cookie: `token=${victim.running.token}` })],
    ["a token with an extra character", () => bearing(`${victim.running.token}x`)],
    ["a token cut short", () => bearing(victim.running.token.slice(0, -1))],
    [
      "a known id with a wrong secret",
      () => bearing(`${secrets.get("admin")?.slice(0, 20)}${"A".repeat(43)}`),
    ],
    ["an unknown id", () => bearing(`aw_0123456789abcdef_${"A".repeat(43)}`)],
    ["an id without a secret", () => bearing(secrets.get("admin")?.slice(0, 19) ?? "")],
    ["a key of Object.prototype", () => bearing("__proto__")],
  ])("refuses %s", async (_, headers) => {
    const { status } = await victim.post(`${VERSION}?token=${victim.running.token}`, headers());
    expect([401, 429]).toContain(status);
  });

  test("reveals only to admins whether a path exists", async () => {
    expect((await call("/agentwire.v1.SecretService/Get", "drive")).status).toBe(403);
    expect((await call("/agentwire.v1.SecretService/Get", "admin")).status).toBe(404);
    expect((await call(`${VERSION}/`, "drive")).status).toBe(403);
    expect((await call("/agentwire.v1.HealthService/../AdminService/Backup", "observe")).status).toBe(403);
  });

  test("stores only the hash of a secret", async () => {
    const secret = secrets.get("drive") ?? "";
    const rows = JSON.stringify(await victim.running.daemon.store.tokens());
    expect(rows).not.toContain(secret.slice(20));
    expect(
      JSON.stringify((await victim.owner.tokens.listTokens({})).tokens.map(({ name }) => name)),
    ).not.toContain(secret);
  });
});

describe("a token", () => {
  test("is refused after it expires, and its open requests end", async () => {
    const { id, secret } = await victim.token("observe", 2);
    const { sessions } = victim.withToken(secret);
    const { session } = await victim.owner.sessions.createSession({ cwd: victim.folder });
    const watching = (async () => {
      for await (const _ of sessions.watch({ sessionId: session?.id ?? "" }));
    })();
    await expect(watching).rejects.toThrow();
    await expect(sessions.listSessions({})).rejects.toMatchObject({ code: Code.Unauthenticated });
    const { tokens } = await victim.owner.tokens.listTokens({});
    expect(tokens.map((token) => token.id)).not.toContain(id);
  }, 30_000);

  test("is refused after it is revoked, its open requests end, and it never becomes valid again", async () => {
    const { id, secret } = await victim.token("observe");
    const { sessions } = victim.withToken(secret);
    const { session } = await victim.owner.sessions.createSession({ cwd: victim.folder });
    await victim.owner.sessions.sendPrompt({ sessionId: session?.id ?? "", text: "hello" });
    let hasBegun = () => {};
    const begun = new Promise<void>((resolve) => {
      hasBegun = resolve;
    });
    const watching = (async () => {
      for await (const _ of sessions.watch({ sessionId: session?.id ?? "" })) hasBegun();
    })();
    await begun;
    await victim.owner.tokens.revokeToken({ id });
    await expect(watching).rejects.toThrow();
    expect((await victim.post(VERSION, bearing(secret))).status).toBe(401);
    const { tokens } = await victim.owner.tokens.listTokens({ includeEnded: true });
    expect(tokens.find((token) => token.id === id)?.revokedAt).toBeDefined();
  }, 30_000);

  test("stays valid or revoked across restarts of the daemon", async () => {
    const first = await openVictim();
    const good = await first.token("observe");
    const bad = await first.token("observe");
    await first.owner.tokens.revokeToken({ id: bad.id });
    await first.running.stop();
    const second = await openVictim({ folder: `${first.folder}/state`, socketPath: first.socket });
    expect((await second.post(VERSION, bearing(good.secret))).status).toBe(200);
    expect((await second.post(VERSION, bearing(bad.secret))).status).toBe(401);
    await second.end();
    rmSync(first.folder, { recursive: true });
  }, 60_000);

  test("with the scope answer can neither change a call nor save a rule for the user", async () => {
    const decide = (allow: object) =>
      victim.post(
        "/agentwire.v1.QuestionService/Decide",
        bearing(secrets.get("answer") ?? ""),
        JSON.stringify({ questionId: "none", allow }),
      );
    expect((await decide({ updatedInputJson: '{"command":"rm -rf /"}' })).body).toContain("FORBIDDEN");
    expect((await decide({ always: { rule: "Bash", scope: "user" } })).body).toContain("FORBIDDEN");
    expect((await decide({ sessionRule: "Bash(ls)" })).body).toContain("QUESTION_NOT_FOUND");
    expect((await decide({})).body).toContain("QUESTION_NOT_FOUND");
  });
});

describe("a stream of commands", () => {
  test.each<[Scope, Record<string, string>]>([
    ["observe", { sendPrompt: "7", decide: "7", answer: "7", interrupt: "7", takeInput: "7" }],
    ["answer", { sendPrompt: "7", decide: "5", answer: "5", interrupt: "7", takeInput: "7" }],
    ["drive", { sendPrompt: "5", decide: "5", answer: "5", interrupt: "5", takeInput: "5" }],
  ])("on a token with the scope %s accepts no other commands", async (scope, expected) => {
    const transport = createGrpcTransport({ baseUrl: `http://127.0.0.1:${victim.port}` });
    const { converse } = createClient(SessionService, transport);
    async function* commands() {
      for (const name of Object.keys(expected))
        yield {
          requestId: name,
          command: { case: name, value: { sessionId: "none", questionId: "none" } },
        } as never;
    }
    const seen: Record<string, string> = {};
    for await (const { message } of converse(commands(), { headers: bearing(secrets.get(scope) ?? "") }))
      if (message.case === "done") seen[message.value.requestId] = message.value.errorCode;
    expect(seen).toEqual(expected);
  });
});

test("every command on a stream needs the scope of the RPC of the same name", () => {
  for (const [command, scope] of Object.entries(COMMAND_SCOPES)) {
    const name = command[0]?.toUpperCase() + command.slice(1);
    const [, needed] =
      [...RPC_SCOPES].find(([path]) => path.endsWith(`/${name}`) && path.includes("agentwire")) ?? [];
    expect([command, scope]).toEqual([command, needed]);
  }
});

test("two valid tokens never share a name, even if created at once; a revoked one frees its name", async () => {
  const wanted = { name: "phone", scope: SCOPES.observe };
  const both = await Promise.allSettled([1, 2].map(() => victim.owner.tokens.createToken(wanted)));
  const [made] = both.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const refused = both.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  expect(refused).toMatchObject([
    { code: Code.AlreadyExists, rawMessage: "NAME_TAKEN: there is already a token phone" },
  ]);
  await victim.owner.tokens.revokeToken({ id: made?.token?.id ?? "" });
  const { token } = await victim.owner.tokens.createToken(wanted);
  expect(token).toMatchObject({ name: "phone" });
});
