import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { BARE_AGENT, installAgent, resultOf, runAgent, toolsOf } from "./cloud-agent.ts";
import {
  type Answer,
  AWS_FRAMES,
  awsMessage,
  type Framing,
  replyEvents,
  SERVER_SENT,
  startCloud,
} from "./cloud-server.ts";

let agent: Awaited<ReturnType<typeof installAgent>>;
beforeAll(async () => {
  agent = await installAgent();
}, 600_000);
afterAll(async () => void (await agent.remove()));

async function cloud(framing: Framing, answer: Answer) {
  const server = await startCloud(framing, answer);
  onTestFinished(server.close);
  return server;
}

async function* framed({ frame }: Framing, events: Iterable<{ readonly type: string }>) {
  for (const event of events) yield frame(event);
}

/** A model that first reads the note in its folder, then says the given text. */
const reader =
  (framing: Framing, text = "It is heron."): Answer =>
  (_, count) =>
    framed(framing, replyEvents(count === 1 ? { name: "Read", input: { file_path: "note.txt" } } : [text]));

/** A key for Anthropic's own API, which a cloud must not receive. */
const SECRET = { ANTHROPIC_API_KEY: "sk-of-anthropic" };

describe("Bedrock", () => {
  const KEYS = { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: "secret", AWS_REGION: "eu-west-1" };
  const env = (url: string, more: Readonly<Record<string, string>> = KEYS) => ({
    ...SECRET,
    CLAUDE_CODE_USE_BEDROCK: "1",
    ANTHROPIC_BEDROCK_BASE_URL: url,
    ...more,
  });

  test("requests of a session with tools are signed, and replies are read from AWS's frames", async () => {
    const { url, requests } = await cloud(AWS_FRAMES, reader(AWS_FRAMES));
    const ran = await runAgent(agent.program, env(url));
    expect(resultOf(ran)).toMatchObject({ subtype: "success", result: "It is heron.", num_turns: 2 });
    expect(requests).toHaveLength(2);
    for (const { path, headers, text } of requests) {
      expect(path).toBe("/model/eu.anthropic.claude-opus-5-5/invoke-with-response-stream");
      expect(headers.authorization).toMatch(
        /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/bedrock\/aws4_request, .*Signature=[0-9a-f]{64}$/,
      );
      expect(JSON.stringify(headers) + text).not.toContain(SECRET.ANTHROPIC_API_KEY);
      expect(JSON.parse(text)).toMatchObject({
        anthropic_version: expect.any(String),
        max_tokens: expect.any(Number),
      });
      expect(JSON.parse(text)).not.toHaveProperty("model");
    }
    expect(requests[1]?.text).toContain("the word is heron");
    // Bedrock has no web search, so the official agent does not offer that tool there.
    expect(toolsOf(ran)).not.toContain("WebSearch");
    expect(Number(resultOf(ran)?.total_cost_usd)).toBeGreaterThan(0);
  });

  test("text is passed on before the reply ends", async () => {
    let hear = () => {};
    const heard = new Promise<void>((resolve) => {
      hear = resolve;
    });
    const { url } = await cloud(AWS_FRAMES, async function* () {
      for (const event of replyEvents(["first, ", "then"])) {
        if (JSON.stringify(event).includes("then")) await heard;
        yield AWS_FRAMES.frame(event);
      }
    });
    const ran = await runAgent(agent.program, env(url), {
      heard: (text) => {
        if (text.includes("first, ")) hear();
      },
    });
    expect(resultOf(ran)).toMatchObject({ result: "first, then" });
  });

  test("a Bedrock key replaces the signature", async () => {
    const { url, requests } = await cloud(AWS_FRAMES, reader(AWS_FRAMES));
    await runAgent(agent.program, env(url, { AWS_BEARER_TOKEN_BEDROCK: "bedrock-key" }), {
      model: ["--model", "claude-haiku-4-5"],
    });
    expect(requests[0]?.headers.authorization).toBe("Bearer bedrock-key");
    expect(requests[0]?.path).toBe(
      "/model/us.anthropic.claude-haiku-4-5-20251001-v1:0/invoke-with-response-stream",
    );
  });

  test("a gateway that signs requests receives its own token and no signature", async () => {
    const { url, requests } = await cloud(AWS_FRAMES, reader(AWS_FRAMES));
    const ran = await runAgent(
      agent.program,
      env(url, { CLAUDE_CODE_SKIP_BEDROCK_AUTH: "1", ANTHROPIC_AUTH_TOKEN: "gateway" }),
    );
    expect(resultOf(ran)).toMatchObject({ subtype: "success" });
    expect(requests[0]?.headers).toMatchObject({ authorization: "Bearer gateway" });
    expect(requests[0]?.headers).not.toHaveProperty("x-api-key");
  });

  test("an inaccessible model is reported with Bedrock's own message", async () => {
    const body = { message: "You don't have access to the model with the specified model ID." };
    const { url } = await cloud(AWS_FRAMES, () => ({ status: 403, type: "AccessDeniedException", body }));
    const ran = await runAgent(agent.program, env(url));
    expect(resultOf(ran)).toMatchObject({ is_error: true, result: expect.stringContaining(body.message) });
  });

  test("throttling in the middle of a stream is retried", async () => {
    const { url, requests } = await cloud(AWS_FRAMES, async function* (_, count) {
      const [start] = replyEvents(["Hi."]);
      if (count === 1 && start) {
        yield AWS_FRAMES.frame(start);
        yield awsMessage(
          {
            ":exception-type": "throttlingException",
            ":content-type": "application/json",
            ":message-type": "exception",
          },
          { message: "Too many tokens" },
        );
      } else for (const event of replyEvents(["Hi again."])) yield AWS_FRAMES.frame(event);
    });
    const ran = await runAgent(agent.program, env(url));
    expect(resultOf(ran)).toMatchObject({ subtype: "success", result: "Hi again." });
    expect(requests).toHaveLength(2);
  });

  test("missing credentials are reported at once", async () => {
    const { url, requests } = await cloud(AWS_FRAMES, reader(AWS_FRAMES));
    const ran = await runAgent(agent.program, env(url, { AWS_EC2_METADATA_DISABLED: "true" }));
    expect(resultOf(ran)).toMatchObject({
      is_error: true,
      result: expect.stringContaining("AWS credentials"),
    });
    expect(requests).toEqual([]);
  });
});

describe("Vertex", () => {
  const env = (url: string, more: Readonly<Record<string, string>>) => ({
    ...SECRET,
    CLAUDE_CODE_USE_VERTEX: "1",
    ANTHROPIC_VERTEX_BASE_URL: `${url}/v1`,
    CLOUD_ML_REGION: "europe-west1",
    ...more,
  });

  test("requests carry the token that Google issues for the machine's credentials", async () => {
    const reads = reader(SERVER_SENT);
    const { url, requests } = await cloud(SERVER_SENT, (asked, count) =>
      asked.path === "/token"
        ? {
            status: 200,
            body: {
              access_token: "ya29.of-google",
              expires_in: 3600,
              token_type: "Bearer",
              issued_token_type: "urn:ietf:params:oauth:token-type:access_token",
            },
          }
        : reads(asked, count - 1),
    );
    const folder = await mkdtemp(join(tmpdir(), "google-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "subject"), "who I am");
    const credentials = {
      type: "external_account",
      audience: "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q",
      subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
      token_url: `${url}/token`,
      credential_source: { file: join(folder, "subject") },
    };
    await writeFile(join(folder, "credentials.json"), JSON.stringify(credentials));
    const ran = await runAgent(
      agent.program,
      env(url, {
        GOOGLE_APPLICATION_CREDENTIALS: join(folder, "credentials.json"),
        ANTHROPIC_VERTEX_PROJECT_ID: "my-project",
      }),
    );
    expect(resultOf(ran)).toMatchObject({ subtype: "success", result: "It is heron." });
    const [, first, second] = requests;
    expect(first).toMatchObject({
      path: "/v1/projects/my-project/locations/europe-west1/publishers/anthropic/models/claude-opus-5-5:streamRawPredict",
      headers: { authorization: "Bearer ya29.of-google" },
    });
    expect(JSON.stringify(first)).not.toContain(SECRET.ANTHROPIC_API_KEY);
    expect(second?.text).toContain("the word is heron");
  });

  test("a gateway with its own credentials receives none", async () => {
    const { url, requests } = await cloud(SERVER_SENT, reader(SERVER_SENT));
    const ran = await runAgent(
      agent.program,
      env(url, {
        CLAUDE_CODE_SKIP_VERTEX_AUTH: "1",
        ANTHROPIC_VERTEX_PROJECT_ID: "p",
        VERTEX_REGION_CLAUDE_4_5_SONNET: "us-central1",
      }),
      { model: ["--model", "claude-sonnet-4-5-20250929"] },
    );
    expect(toolsOf(ran)).toContain("WebSearch");
    expect(requests[0]?.path).toContain(
      "/locations/us-central1/publishers/anthropic/models/claude-sonnet-4-5@20250929:streamRawPredict",
    );
    expect(requests[0]?.headers).not.toHaveProperty("authorization");
  });

  test("the error for a missing project names its variable", async () => {
    const { url } = await cloud(SERVER_SENT, reader(SERVER_SENT));
    const ran = await runAgent(agent.program, env(url, { CLAUDE_CODE_SKIP_VERTEX_AUTH: "1" }));
    expect(resultOf(ran)).toMatchObject({
      is_error: true,
      result: expect.stringContaining("ANTHROPIC_VERTEX_PROJECT_ID"),
    });
  });
});

describe("Foundry", () => {
  const env = (url: string, more: Readonly<Record<string, string>>) => ({
    ...SECRET,
    CLAUDE_CODE_USE_FOUNDRY: "1",
    ANTHROPIC_FOUNDRY_BASE_URL: `${url}/anthropic`,
    ...more,
  });

  test.each([
    [{ ANTHROPIC_FOUNDRY_API_KEY: "of-azure" }, { "x-api-key": "of-azure" }],
    [{ ANTHROPIC_FOUNDRY_AUTH_TOKEN: "of-entra" }, { authorization: "Bearer of-entra" }],
  ])("a session authenticates with %j", async (given, headers) => {
    const { url, requests } = await cloud(SERVER_SENT, reader(SERVER_SENT));
    const ran = await runAgent(agent.program, env(url, given));
    expect(resultOf(ran)).toMatchObject({ subtype: "success", result: "It is heron." });
    expect(requests[0]).toMatchObject({ path: "/anthropic/v1/messages?beta=true", headers });
    expect(JSON.parse(requests[0]?.text ?? "")).toMatchObject({ model: "claude-opus-5-5" });
    expect(JSON.stringify(requests)).not.toContain(SECRET.ANTHROPIC_API_KEY);
  });

  test("without a key, Azure's library provides an Entra token", async () => {
    const reads = reader(SERVER_SENT);
    const { url, requests } = await cloud(SERVER_SENT, (asked, count) => {
      if (!asked.path.startsWith("/identity?")) return reads(asked, count - 1);
      const expires_on = Math.floor(Date.now() / 1000) + 3600;
      const body = { access_token: "of-entra", expires_on, resource: "x", token_type: "Bearer" };
      return { status: 200, body };
    });
    const ran = await runAgent(
      agent.program,
      // How Azure identifies itself to programs that it runs.
      env(url, {
        AZURE_TOKEN_CREDENTIALS: "ManagedIdentityCredential",
        IDENTITY_ENDPOINT: `${url}/identity`,
        IDENTITY_HEADER: "secret",
      }),
    );
    expect(resultOf(ran)).toMatchObject({ subtype: "success", result: "It is heron." });
    const [identity, first] = requests;
    expect(decodeURIComponent(identity?.path ?? "")).toContain(
      "resource=https://cognitiveservices.azure.com",
    );
    expect(first).toMatchObject({
      path: "/anthropic/v1/messages?beta=true",
      headers: { authorization: "Bearer of-entra" },
    });
  });

  test("without a key and without that library, the error says what to set or install", async () => {
    const ran = await runAgent(agent.withoutIdentity, {
      CLAUDE_CODE_USE_FOUNDRY: "1",
      ANTHROPIC_FOUNDRY_RESOURCE: "mine",
    });
    expect(resultOf(ran)).toMatchObject({
      is_error: true,
      result: expect.stringMatching(/set ANTHROPIC_FOUNDRY_API_KEY .*npm install @azure\/identity@4/),
    });
  });

  test.each([[{ ANTHROPIC_FOUNDRY_API_KEY: "key" }, "ANTHROPIC_FOUNDRY_RESOURCE"]])(
    "if only %j is set, the error names the missing variable",
    async (given, missing) => {
      const ran = await runAgent(agent.program, { CLAUDE_CODE_USE_FOUNDRY: "1", ...given });
      expect(resultOf(ran)).toMatchObject({ is_error: true, result: expect.stringContaining(missing) });
    },
  );
});

test.each([
  ["CLAUDE_CODE_USE_BEDROCK", "bedrock"],
  ["CLAUDE_CODE_USE_VERTEX", "vertex"],
  ["CLAUDE_CODE_USE_FOUNDRY", "foundry"],
])("%s without its client says how to install it", async (variable, name) => {
  const ran = await runAgent(BARE_AGENT, { [variable]: "1", ANTHROPIC_FOUNDRY_RESOURCE: "mine" });
  const command = new RegExp(`${variable} is set, but .*npm install @anthropic-ai/${name}-sdk@1\\.`);
  expect(resultOf(ran)).toMatchObject({ is_error: true, result: expect.stringMatching(command) });
});
