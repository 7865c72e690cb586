import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { expect } from "vitest";
import type { Bench } from "./bench.ts";
import { missingKeys } from "./python-parser.ts";

/** Plays the host's side as the Python SDK does: one request at a time, waiting for every answer. */
export class PythonSide {
  readonly child: ChildProcessWithoutNullStreams;
  /** The subtypes of the agent's requests. */
  readonly requests: string[] = [];
  readonly #lines: string[] = [];
  readonly #exit: Promise<unknown[]>;
  #seen: () => void = () => {};
  #errors = "";

  constructor({ agent, cwd, env }: Bench, argv: readonly string[]) {
    this.child = spawn(agent, argv, {
      cwd,
      env: { ...env, PWD: cwd, CLAUDE_CODE_ENTRYPOINT: "sdk-py", CLAUDE_AGENT_SDK_VERSION: "0.2.143" },
    });
    this.#exit = once(this.child, "close");
    this.child.stderr.on("data", (bytes: Buffer) => {
      this.#errors += bytes;
    });
    createInterface({ input: this.child.stdout }).on("line", (line) => {
      this.#lines.push(line);
      this.#answer(JSON.parse(line));
      this.#seen();
    });
  }

  async initialize(wishes: JsonObject = {}): Promise<unknown> {
    const request_id = "req_1_0badcafe";
    this.#write({
      type: "control_request",
      request_id,
      request: { subtype: "initialize", hooks: null, ...wishes },
    });
    const { response } = (await this.#until(({ type }) => type === "control_response")) as {
      response: JsonObject;
    };
    expect(response).toMatchObject({ subtype: "success", request_id });
    return response.response;
  }

  prompt(text: string, more: JsonObject = {}): void {
    this.#write({
      ...more,
      type: "user",
      session_id: "",
      message: { role: "user", content: text },
      parent_tool_use_id: null,
    });
  }

  /** The result of the turn with this number, counted from 1. */
  result(nth = 1): Promise<JsonObject> {
    return this.#until(({ type }) => type === "result", nth);
  }

  /** The agent's stderr so far. */
  errors(): string {
    return this.#errors;
  }

  async exit(): Promise<number> {
    const [code] = await this.#exit;
    return Number(code);
  }

  /** What reaches the program using the SDK. */
  messages(): readonly JsonObject[] {
    return this.#all().filter(({ type }) => !String(type).startsWith("control_"));
  }

  /** The errors that the SDK would have raised. */
  complaints(): readonly string[] {
    return this.#lines.flatMap((line) => missingKeys(line));
  }

  #all(): readonly JsonObject[] {
    return this.#lines.map((line) => JSON.parse(line));
  }

  async #until(wanted: (message: JsonObject) => boolean, nth = 1): Promise<JsonObject> {
    for (;;) {
      const found = this.#all().filter(wanted)[nth - 1];
      if (found) return found;
      await new Promise<void>((resolve) => {
        this.#seen = resolve;
      });
    }
  }

  #write(message: JsonObject): void {
    this.child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #answer(message: JsonObject): void {
    if (message.type !== "control_request" || !isJsonObject(message.request)) return;
    const { request, request_id } = message;
    this.requests.push(String(request.subtype));
    this.#write({
      type: "control_response",
      response: { subtype: "success", request_id, response: answerTo(request) },
    });
  }
}

function answerTo(request: JsonObject): JsonObject {
  switch (request.subtype) {
    case "can_use_tool":
      return { behavior: "allow", updatedInput: request.input };
    case "mcp_message":
      return { mcp_response: isJsonObject(request.message) ? mcpAnswer(request.message) : {} };
    default:
      return {};
  }
}

/** Answers the methods that the Python SDK answers without an MCP library. */
function mcpAnswer({ id, method }: JsonObject): JsonObject {
  const answer = (result: JsonObject) => ({ jsonrpc: "2.0", id, result });
  switch (method) {
    case "initialize":
      return answer({
        protocolVersion: "2024-11-05",
        capabilities: { tools: {} },
        serverInfo: { name: "sums", version: "1.0.0" },
      });
    case "tools/list": {
      const number = { type: "number" };
      const inputSchema = { type: "object", properties: { a: number, b: number }, required: ["a", "b"] };
      return answer({ tools: [{ name: "add", description: "Adds two numbers", inputSchema }] });
    }
    case "tools/call":
      return answer({ content: [{ type: "text", text: "the sum is 5" }] });
    case "notifications/initialized":
      return { jsonrpc: "2.0", result: {} };
    default:
      return { jsonrpc: "2.0", id, error: { code: -32601, message: `Method '${method}' not found` } };
  }
}
