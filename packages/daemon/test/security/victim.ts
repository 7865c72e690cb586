import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { type OutgoingHttpHeaders, type RequestOptions, request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { AuditService, RuleService, SessionService, TokenService, UsageService } from "@agentwire/api";
import { silentLog } from "@agentwire/protocol/support";
import { type Client, createClient, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { PLACE_FOR_STORES } from "../../../../test/place-for-stores.ts";
import type { Scope } from "../../src/access/scope.ts";
import { SCOPES } from "../../src/access/scope.ts";
import { type DaemonConfig, defaultConfig } from "../../src/config.ts";
import { type RunningDaemon, startDaemon } from "../../src/start.ts";

/** An answer as received. */
export interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

/** A real daemon to attack, with its own folder. */
export interface Victim {
  readonly folder: string;
  readonly running: RunningDaemon;
  readonly socket: string;
  readonly port: number;
  /** The owner's clients, on the socket. */
  readonly owner: Clients;
  /** Creates a token and returns its secret. */
  token(scope: Scope, ttlSeconds?: number): Promise<{ readonly id: string; readonly secret: string }>;
  /** Clients on the port, with a token. */
  withToken(secret: string): Clients;
  /** Sends a request unchanged; to the socket if `at` names one. */
  post(
    path: string,
    headers: OutgoingHttpHeaders,
    body?: string,
    at?: { socketPath: string },
  ): Promise<Answer>;
  end(): Promise<void>;
}

/** Clients of the services that these tests attack. */
export interface Clients {
  readonly sessions: Client<typeof SessionService>;
  readonly rules: Client<typeof RuleService>;
  readonly tokens: Client<typeof TokenService>;
  readonly audit: Client<typeof AuditService>;
  readonly usage: Client<typeof UsageService>;
}

/** Starts a daemon with a port. */
export async function openVictim(config: Partial<DaemonConfig> = {}): Promise<Victim> {
  const folder = realpathSync(mkdtempSync(join(PLACE_FOR_STORES, "agentwire-victim-")));
  const env = { PATH: process.env.PATH, HOME: folder, AGENTWIRE_HOME: join(folder, "state") };
  const running = await startDaemon({ ...defaultConfig(env, folder), port: 0, ...config }, silentLog).catch(
    (error: unknown) => {
      rmSync(folder, { recursive: true });
      throw error;
    },
  );
  const [socket = "", url = ""] = running.addresses;
  const port = Number(new URL(url).port);
  const owner = clients("http://localhost", [], socket);
  const scopes: Scope[] = [];
  return {
    folder,
    running,
    socket,
    port,
    owner,
    async token(scope, ttlSeconds = 0) {
      scopes.push(scope);
      const count = scopes.filter((other) => other === scope).length;
      const made = await owner.tokens.createToken({
        name: count === 1 ? `a ${scope}` : `a ${scope} ${count}`,
        scope: SCOPES[scope],
        ttlSeconds: BigInt(ttlSeconds),
      });
      return { id: made.token?.id ?? "", secret: made.secret };
    },
    withToken: (secret) => clients(url, [bearing(secret)]),
    post: (path, headers, body = "{}", at) =>
      send(
        {
          ...(at ?? { host: "127.0.0.1", port }),
          path,
          headers: { "content-type": "application/json", ...headers },
        },
        body,
      ),
    async end() {
      await running.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

const bearing =
  (secret: string): Interceptor =>
  (next) =>
  (call) => {
    call.header.set("authorization", `Bearer ${secret}`);
    return next(call);
  };

function clients(baseUrl: string, interceptors: Interceptor[], socketPath?: string): Clients {
  const transport = createConnectTransport({
    baseUrl,
    httpVersion: "1.1",
    interceptors,
    ...(socketPath !== undefined && { nodeOptions: { socketPath } }),
  });
  return {
    sessions: createClient(SessionService, transport),
    rules: createClient(RuleService, transport),
    tokens: createClient(TokenService, transport),
    audit: createClient(AuditService, transport),
    usage: createClient(UsageService, transport),
  };
}

function send(options: RequestOptions, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request({ method: "POST", agent: false, ...options }, async (response) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: await text(response) });
    })
      .on("error", reject)
      .end(body);
  });
}
