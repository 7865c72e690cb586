import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { silentLog } from "@agentwire/protocol/support";
import { create, type DescMethod, toBinary, toJsonString } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { debianProgram } from "../../../../test/debian.ts";
import { PLACE_FOR_STORES } from "../../../../test/place-for-stores.ts";
import type { Scope } from "../../src/access/scope.ts";
import { defaultConfig } from "../../src/config.ts";
import { SERVICES } from "../../src/rpc/routes.ts";
import { type RunningDaemon, startDaemon } from "../../src/start.ts";
import { makeAuthority, makeCertificate } from "../security/certificates.ts";
import type { Call, ForeignClient, Outcome, Place } from "./call.ts";
import { connectClient } from "./connect.ts";
import { curl } from "./curl.ts";
import { grpcJs } from "./grpc-js.ts";
import { grpcio } from "./grpcio.ts";
import { rawHttp2 } from "./raw-http2.ts";
import { canSend, isEnough, REFUSALS, type Refused, type Row, RPCS, type State } from "./table.ts";

const TINY_AGENT = fileURLToPath(new URL("../chaos/tiny-agent.mjs", import.meta.url));

const folder = realpathSync(mkdtempSync(join(PLACE_FOR_STORES, "agentwire-foreign-")));
let running: RunningDaemon;
let places: ReadonlyMap<Place["name"], Place>;
let clients: ReadonlyMap<string, ForeignClient>;

beforeAll(async () => {
  debianProgram("curl", ["/usr/bin/curl"]);
  debianProgram("python3-grpcio", ["/usr/lib/python3/dist-packages/grpc/__init__.py"]);
  const all = [
    grpcio(),
    grpcJs(),
    curl("HTTP/1"),
    curl("HTTP/2"),
    rawHttp2(),
    connectClient("Connect"),
    connectClient("gRPC-Web"),
  ];
  clients = new Map(all.map((client) => [client.name, client]));
  const authority = makeAuthority(folder, "authority");
  const { cert, key } = makeCertificate(folder, "localhost", authority);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    AGENTWIRE_HOME: join(folder, "state"),
    TINY_HOME: folder,
  };
  running = await startDaemon(
    {
      ...defaultConfig(env, folder),
      agents: [{ name: "tiny", path: TINY_AGENT }],
      spareProcesses: 0,
      trustedFolders: [folder],
      maxPayloadBytes: 200_000,
      requestsPerSecond: 10_000,
      port: 0,
      listen: [{ host: "127.0.0.1", port: 0, tls: { cert, key, clients: new Map() } }],
    },
    silentLog,
  );
  const [socketPath = "", port = "", secure = ""] = running.addresses;
  const byName = new URL(secure);
  byName.hostname = "localhost";
  places = new Map(
    (
      [
        { name: "the socket", url: new URL("http://localhost"), socketPath },
        { name: "a port", url: new URL(port) },
        { name: "a port with TLS", url: byName, ca: authority.cert },
      ] satisfies Place[]
    ).map((place) => [place.name, place]),
  );
}, 300_000);
afterAll(async () => {
  for (const client of clients.values()) client.close();
  await running.stop();
  rmSync(folder, { recursive: true });
});

/** A token without failed attempts: its first use clears the failures before it. */
async function newToken(scope: Scope): Promise<string> {
  const { secret } = await running.daemon.tokens.create({
    name: `${scope} ${running.daemon.tokens.all.length}`,
    scope,
    createdBy: "test",
    ttlMs: undefined,
  });
  return secret;
}

interface Sent extends Pick<Partial<Call>, "path" | "token" | "host" | "contentType" | "timeoutMs"> {
  readonly method: DescMethod;
  readonly messages: readonly Record<string, unknown>[];
  readonly bytes?: Uint8Array | undefined;
}

/** A call in all the forms that clients may need. */
function callOf({ method, messages, bytes, ...rest }: Sent): Call {
  const made = messages.map((message) => create(method.input, message));
  return {
    method,
    path: rest.path ?? `/${method.parent.typeName}/${method.name}`,
    bytes: bytes ? [bytes] : made.map((message) => toBinary(method.input, message)),
    json: bytes ? undefined : made.map((message) => toJsonString(method.input, message)),
    token: rest.token,
    host: rest.host,
    contentType: rest.contentType,
    timeoutMs: rest.timeoutMs,
  };
}

const listOf = (sent: object): readonly Record<string, unknown>[] =>
  Array.isArray(sent) ? sent : [sent as Record<string, unknown>];

/** HTTP/1 has no bidirectional streams, and the error says so. */
const ONE_WAY = { code: Code.Unimplemented, text: "bidirectional streams need HTTP/2" };
const isOneWay = (client: ForeignClient, { methodKind }: DescMethod) =>
  client.name === "curl by HTTP/1" && methodKind === "bidi_streaming";

const NAMES = ["the socket", "a port", "a port with TLS"] as const;
const CLIENTS = [
  "grpcio",
  "grpc-js",
  "curl by HTTP/1",
  "curl by HTTP/2",
  "bare HTTP/2",
  "Connect's client by Connect",
  "Connect's client by gRPC-Web",
];

test("the table lists every RPC", () => {
  const nameOf = ({ parent, name }: DescMethod) => `${parent.typeName}/${name}`;
  const all = SERVICES.flatMap(({ methods }) => methods.map(nameOf));
  expect(RPCS.map(({ method }) => nameOf(method)).sort()).toEqual(all.sort());
});

describe.each(NAMES)("at %s", (at) => {
  const place = () => places.get(at) as Place;

  test.each(CLIENTS)(
    "%s makes every call",
    async (name) => {
      const client = clients.get(name) as ForeignClient;
      const state: State = { folder, name: `${name} ${at}`.replaceAll(/\W/g, "-"), ids: new Map() };
      const token = at === "the socket" ? undefined : await newToken("admin");
      for (const row of RPCS) await play(client, row, state, token);
    },
    60_000,
  );

  async function play(
    client: ForeignClient,
    row: Row,
    state: State,
    token: string | undefined,
  ): Promise<void> {
    const { method, send, timeoutMs, keep } = row;
    const messages = listOf(send(state));
    const outcome = await client.call(place(), callOf({ method, messages, token, timeoutMs }));
    const expected = isOneWay(client, method) ? { ...row, ...ONE_WAY } : row;
    mustBe(`${client.name}: ${method.name}`, outcome, expected);
    expect(isEnough(expected, outcome.answers), `${method.name}: ${outcome.answers.length} answers`).toBe(
      true,
    );
    if (keep) state.ids.set(keep[0], keep[1](outcome.answers[0] as never));
  }

  describe.each(CLIENTS)("%s is refused", (name) => {
    const here = REFUSALS.filter(
      (row) => (row.at?.({ name: at } as Place) ?? true) && canSend(name, at, row),
    );

    test.each(here)("for $title", async (row) => {
      const client = clients.get(name) as ForeignClient;
      const token = await tokenFor(row);
      const call = callOf({ ...row, messages: listOf(row.send({} as State)), token });
      const expected = isOneWay(client, row.method) ? ONE_WAY : row;
      mustBe(row.title, await client.call(place(), call), expected);
    });
  });

  async function tokenFor({ as }: Refused): Promise<string | undefined> {
    if (at === "the socket" || as === "nobody") return undefined;
    if (as === "somebody else") return "wrong";
    return newToken(as === "an observer" ? "observe" : "admin");
  }
});

function mustBe(
  what: string,
  { code, text }: Outcome,
  expected: { readonly code?: Code | 0; readonly text?: Row["text"] },
): void {
  expect({ what, code: Code[code] ?? code, text }).toEqual({
    what,
    code: Code[expected.code ?? 0] ?? 0,
    text:
      expected.text instanceof RegExp
        ? expect.stringMatching(expected.text)
        : (expected.text ?? expect.any(String)),
  });
}

test("no request above caused an internal error", () => {
  expect(running.daemon.metrics.bugs.total).toBe(0);
});
