import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import {
  type ClientCapabilities,
  type ClientConnection,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  client,
  methods,
  ndJsonStream,
  type RequestPermissionRequest,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { SchemaCheck } from "../../packages/protocol/test/dialect/acp-schema.ts";

/** An editor on the official library: starts an agent, records what it shows, and answers its questions. */
export class Editor {
  readonly updates: { readonly sessionId: string; readonly update: SessionUpdate }[] = [];
  readonly asked: RequestPermissionRequest[] = [];
  readonly forms: CreateElicitationRequest[] = [];
  /** The contents with which forms are answered, in order. */
  readonly contents: CreateElicitationResponse[] = [];
  /** All faults found in the agent's lines. */
  readonly check = new SchemaCheck();
  readonly #child: ChildProcess;
  readonly #connection: ClientConnection;
  /** How questions are answered: the kind of the option to choose, or "nothing". */
  answer: "allow_once" | "allow_always" | "reject_once" | "nothing" = "allow_once";

  constructor(command: readonly [string, ...string[]], env: NodeJS.ProcessEnv, cwd: string) {
    const [program, ...args] = command;
    this.#child = spawn(program, args, { env, cwd, stdio: ["pipe", "pipe", "ignore"] });
    const { stdin, stdout } = this.#child;
    if (!stdin || !stdout) throw new Error("no streams");
    const wire = ndJsonStream(Writable.toWeb(stdin), Readable.toWeb(stdout) as ReadableStream<Uint8Array>);
    this.#connection = client({ name: "test-editor" })
      .onRequest(methods.client.session.requestPermission, ({ params }) => {
        this.asked.push(params);
        if (this.answer === "nothing") return new Promise(() => {});
        const option = params.options.find(({ kind }) => kind === this.answer);
        return {
          outcome: option ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" },
        };
      })
      .onRequest(methods.client.elicitation.create, ({ params }) => {
        this.forms.push(params);
        return this.contents.shift() ?? { action: "decline" };
      })
      .onNotification(methods.client.session.update, ({ params }) => {
        this.updates.push(params);
      })
      .connect(this.#watched(wire));
  }

  get agent() {
    return this.#connection.agent;
  }

  /** Initializes the connection as an editor does. */
  async greet(capabilities: ClientCapabilities = {}) {
    return this.agent.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientCapabilities: { session: { notices: {}, compaction: {} }, ...capabilities },
      clientInfo: { name: "test-editor", version: "1" },
    });
  }

  /** Sends a prompt; resolves with the stop reason and what was shown in the meantime. */
  async prompt(sessionId: string, text: string) {
    const from = this.updates.length;
    const { stopReason } = await this.agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [{ type: "text", text }],
    });
    const updates = this.updates.slice(from).map(({ update }) => update);
    return { stopReason, updates, text: shownText(updates) };
  }

  /** Waits for a certain update. */
  async sees(what: (update: SessionUpdate) => boolean): Promise<void> {
    while (!this.updates.some(({ update }) => what(update)))
      await new Promise((resolve) => setTimeout(resolve, 10));
  }

  /** Closes the agent's stdin and waits for its exit. */
  async close(): Promise<number | null> {
    const exited = once(this.#child, "exit");
    this.#child.stdin?.end();
    const [code] = await exited;
    return code as number | null;
  }

  #watched({ readable, writable }: ReturnType<typeof ndJsonStream>): ReturnType<typeof ndJsonStream> {
    const look = (from: "host" | "agent") =>
      new TransformStream({
        transform: (line, controller) => {
          this.check.line(from, JSON.parse(JSON.stringify(line)));
          controller.enqueue(line);
        },
      });
    const sent = look("host");
    void sent.readable.pipeTo(writable).catch(() => {});
    return { readable: readable.pipeThrough(look("agent")), writable: sent.writable };
  }
}

/** The text in updates. */
export const shownText = (updates: readonly SessionUpdate[]): string =>
  updates
    .map((update) =>
      update.sessionUpdate === "agent_message_chunk" && update.content.type === "text"
        ? update.content.text
        : "",
    )
    .join("");
