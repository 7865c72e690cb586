import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import {
  request as ask,
  createServer as createHttp,
  type IncomingMessage,
  type RequestListener,
} from "node:http";
import { createServer as createHttps } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import type { Script } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { fails, says } from "../../../conformance/src/scripted-api/script.ts";
import { startScriptedApi } from "../../../conformance/src/scripted-api/server.ts";
import { startAgent } from "../agent-process.ts";
import { newPlace, type Place } from "../place.ts";
import { isResult, prompt } from "../wire.ts";

async function newApi(...steps: Script["steps"]) {
  const api = await startScriptedApi({ steps });
  onTestFinished(() => api.close());
  return api;
}

/** A proxy that connects every name to the same address, and records the names. */
async function newProxy(port: number, isAllowed = true) {
  const asked: { readonly target: string; readonly auth: string | undefined }[] = [];
  const server = createHttp().on("connect", (request: IncomingMessage, client) => {
    asked.push({ target: request.url ?? "", auth: request.headers["proxy-authorization"] });
    if (!isAllowed) {
      client.end("HTTP/1.1 403 Forbidden\r\n\r\n");
      return;
    }
    const upstream = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on("error", () => client.destroy());
    client.on("error", () => upstream.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  return { url: `http://user:p%40ss@127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** A self-signed certificate for a name. */
function certificate(place: Place, name: string) {
  const [key, cert] = [join(place.cwd, "key.pem"), join(place.cwd, "cert.pem")];
  execFileSync(
    "openssl",
    [
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-keyout",
      key,
      "-out",
      cert,
      "-days",
      "1",
      "-subj",
      `/CN=${name}`,
      "-addext",
      `subjectAltName=DNS:${name}`,
    ],
    { stdio: "ignore" },
  );
  return { path: cert, key: readFileSync(key), cert: readFileSync(cert) };
}

/** The API behind TLS. */
async function behindTls(
  url: string,
  { key, cert }: { readonly key: Buffer; readonly cert: Buffer },
): Promise<number> {
  const pass: RequestListener = (incoming, outgoing) => {
    const { method, headers } = incoming;
    const inner = ask(url + incoming.url, { method, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(outgoing);
    });
    incoming.pipe(inner);
  };
  const server = createHttps({ key, cert }, pass).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  return (server.address() as AddressInfo).port;
}

describe("with a proxy", { timeout: 30_000 }, () => {
  test("Claude is reached with a certificate from NODE_EXTRA_CA_CERTS", async () => {
    const place = await newPlace();
    const api = await newApi(says("done"));
    const own = certificate(place, "api.example.test");
    const proxy = await newProxy(await behindTls(api.url, own));
    const agent = startAgent(place, {
      env: {
        ANTHROPIC_BASE_URL: "https://api.example.test",
        ANTHROPIC_API_KEY: "k",
        HTTPS_PROXY: proxy.url,
        NODE_EXTRA_CA_CERTS: own.path,
      },
    });
    agent.send(prompt("go"));
    expect(await agent.line(isResult)).toMatchObject({ result: "done" });
    const auth = `Basic ${Buffer.from("user:p@ss").toString("base64")}`;
    expect(proxy.asked).toEqual([{ target: "api.example.test:443", auth }]);
  });

  test("another provider is reached, with and without TLS", async () => {
    const api = await newApi(says("done"));
    const proxy = await newProxy(Number(new URL(api.url).port));
    const agent = startAgent(await newPlace(), {
      args: ["--model", "mine/m"],
      env: {
        AGENTWIRE_PROVIDERS: JSON.stringify({ mine: { baseUrl: "http://models.example.test/v1" } }),
        HTTP_PROXY: proxy.url,
      },
    });
    agent.send(prompt("go"));
    expect(await agent.line(isResult)).toMatchObject({ result: "done" });
    expect(proxy.asked.map(({ target }) => target)).toEqual(["models.example.test:80"]);
  });

  test.each(["127.0.0.1,example.test", ""])(
    "local servers and those in NO_PROXY %j are reached directly",
    async (NO_PROXY) => {
      const api = await newApi(says("done"));
      const proxy = await newProxy(9);
      const agent = startAgent(await newPlace(), {
        env: {
          ANTHROPIC_BASE_URL: api.url,
          ANTHROPIC_API_KEY: "k",
          HTTP_PROXY: proxy.url,
          HTTPS_PROXY: proxy.url,
          NO_PROXY,
        },
      });
      agent.send(prompt("go"));
      expect(await agent.line(isResult)).toMatchObject({ result: "done" });
      expect(proxy.asked).toEqual([]);
    },
  );

  test("the error names a proxy that refuses the connection", async () => {
    const proxy = await newProxy(9, false);
    const agent = startAgent(await newPlace(), {
      env: { ANTHROPIC_API_KEY: "k", HTTPS_PROXY: proxy.url, CLAUDE_CODE_MAX_RETRIES: "0" },
    });
    agent.send(prompt("go"));
    const { result } = await agent.line(isResult);
    expect(result).toMatch(
      /the proxy 127\.0\.0\.1:\d+ refused the connection to api\.anthropic\.com \(403\)/,
    );
    expect(result).not.toContain("p@ss");
  });
});

describe("apiKeyHelper", { timeout: 30_000 }, () => {
  async function settle(place: Place, settings: JsonObject): Promise<void> {
    await mkdir(place.configDir, { recursive: true });
    await writeFile(join(place.configDir, "settings.json"), JSON.stringify(settings));
  }

  test("provides the key, is run once for several calls, and again if its key is rejected", async () => {
    const place = await newPlace();
    const api = await newApi(
      says("one"),
      fails(401, "authentication_error", "expired", { headers: { "retry-after-ms": "1" } }),
      says("two"),
    );
    const counter = join(place.cwd, "counter");
    await settle(place, { apiKeyHelper: `echo x >> ${counter}; echo key-$(wc -l < ${counter})` });
    const agent = startAgent(place, { env: { ANTHROPIC_BASE_URL: api.url } });
    agent.send(prompt("go"));
    expect(await agent.line(isResult)).toMatchObject({ result: "one" });
    const seen = agent.lines.length;
    agent.send(prompt("go on"));
    expect(await agent.line(isResult, seen)).toMatchObject({ result: "two" });
    expect(api.requests.turns.map(({ headers }) => headers["x-api-key"])).toEqual([
      "key-1",
      "key-1",
      "key-2",
    ]);
    expect(api.requests.turns[2]?.headers.authorization).toBe("Bearer key-2");
    expect(await readFile(counter, "utf8")).toBe("x\nx\n");
  });

  test("that fails is reported without its output", async () => {
    const place = await newPlace();
    await settle(place, { apiKeyHelper: "echo half-a-key; exit 3" });
    const agent = startAgent(place, { env: { CLAUDE_CODE_MAX_RETRIES: "0" } });
    agent.send(prompt("go"));
    const { result } = await agent.line(isResult);
    expect(result).toContain("the apiKeyHelper returned no key: it exited with 3");
    expect(result).not.toContain("half-a-key");
  });

  test("of an untrusted folder is not run", async () => {
    const place = await newPlace({ isTrusted: false });
    await mkdir(join(place.cwd, ".claude"));
    await writeFile(
      join(place.cwd, ".claude/settings.json"),
      JSON.stringify({ apiKeyHelper: "touch ran; echo k" }),
    );
    const agent = startAgent(place);
    agent.send(prompt("go"));
    await agent.line(isResult);
    await expect(readFile(join(place.cwd, "ran"))).rejects.toThrow();
  });
});
